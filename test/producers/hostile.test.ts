import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { llm, producers } from '../../src/producers/index.ts'
import { answers, env } from './answers.ts'

const all = { ...producers, llm: llm() }

/** Everything an adapter offers, asked about one value. */
function askAll(value: unknown): void {
  for (const producer of Object.values(all)) {
    producer.classify(value, env)
    producer.inspect(value, env)
    producer.isContent?.(value)
    producer.isEnd?.(value)
  }
}

const throwing = (): unknown =>
  new Proxy(
    {},
    {
      get: () => {
        throw new Error('get')
      },
      has: () => {
        throw new Error('has')
      },
      ownKeys: () => {
        throw new Error('ownKeys')
      },
      getPrototypeOf: () => {
        throw new Error('getPrototypeOf')
      },
    },
  )

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = { message: 'deep' }
  for (let at = 0; at < depth; at += 1) value = wrap(value)
  return value
}

function cyclic(): unknown {
  const outer: Record<string, unknown> = { message: 'outer' }
  const inner: Record<string, unknown> = { error: outer, cause: outer }
  Object.assign(outer, { cause: inner, error: inner, errors: [outer, inner] })
  return outer
}

const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const hostile: Readonly<Record<string, () => unknown>> = {
  'a proxy that throws': throwing,
  'a revoked proxy': revoked,
  'a body that throws': () => ({ status: 429, body: throwing(), headers: throwing() }),
  'a getter that throws': () => ({
    status: 429,
    get body(): never {
      throw new Error('no')
    },
  }),
  'objects 5,000 deep': () => nested(5_000, (error) => ({ error })),
  'lists 5,000 deep': () => nested(5_000, (error) => [error]),
  'JSON strings 12 deep': () => nested(12, (error) => JSON.stringify({ error })),
  'causes in a circle': cyclic,
  'a __proto__ key': () =>
    JSON.parse('{"__proto__": {"status": 401, "code": "invalid_api_key"}, "error": {"__proto__": {"type": "x"}}}'),
  'a 10 MB message': () => ({ status: 400, body: { error: { message: 'x{"'.repeat(3_500_000) } } }),
  'a 10 MB text': () => ({ status: 502, body: `<html>${'<p>try again in </p>'.repeat(500_000)}` }),
  'a 10 MB JSON text': () => ({
    status: 400,
    body: JSON.stringify({ detail: Array(200_000).fill({ loc: ['body'], msg: 'no' }) }),
  }),
  '10 MB of digits': () => ({ status: 429, body: { error: { message: `try again in ${'9'.repeat(10_000_000)}` } } }),
  '10 MB of spaces': () => ({ status: 429, body: `${' '.repeat(10_000_000)}{` }),
  '10 MB of open brackets': () => ({ status: 400, body: '['.repeat(10_000_000) }),
  '10 MB of escapes': () => ({ status: 400, body: `{"error":"${'\\\\'.repeat(5_000_000)}` }),
  'a list of a million': () => ({ status: 400, body: Array(1_000_000).fill({ error: { code: 'x' } }) }),
  'headers of a kind that is none': () => ({ status: 429, headers: [['retry-after'], null, 7, {}] }),
  'a header of 1 MB': () => ({ status: 429, headers: { 'retry-after': '1'.repeat(1_000_000) } }),
  'a function': () => Object.assign(() => 1, { status: 401 }),
}

describe('nothing makes an adapter throw or run long', () => {
  test.each(Object.entries(hostile))('%s', (_name, make) => {
    const value = make()
    for (const producer of Object.values(all)) expect(() => producer.classify(value, env)).not.toThrow()
    expect(() => askAll(value)).not.toThrow()
  })

  test('arbitrary JSON, as a value, a body and a text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 700 }), (body, status) => {
        askAll(body)
        askAll({ status, body })
        askAll({ status, body: JSON.stringify(body) })
      }),
      { numRuns: 300 },
    )
  })

  test('arbitrary values under the very names that are read', () => {
    const names = [
      'error',
      'body',
      'cause',
      'code',
      'type',
      'status',
      'message',
      'headers',
      'errors',
      'details',
      'response',
      'choices',
      'delta',
      'data',
    ]
    const value = fc.anything({
      key: fc.constantFrom(...names, '__proto__'),
      maxDepth: 5,
      withBigInt: true,
      withDate: true,
      withNullPrototype: true,
      withTypedArray: true,
    })
    fc.assert(
      fc.property(value, (raw) => askAll(raw)),
      { numRuns: 500 },
    )
  })

  test('answers cut off anywhere', () => {
    const any = fc.constantFrom(...answers)
    fc.assert(
      fc.property(any, fc.double({ min: 0, max: 1, noNaN: true }), ({ body, status }, share) => {
        const text = JSON.stringify(body)
        askAll({ status, body: text.slice(0, Math.floor(share * text.length)) })
        askAll({ message: `Error: ${text.slice(0, Math.floor(share * text.length))}` })
      }),
      { numRuns: 200 },
    )
  })

  test('what is on a prototype decides nothing that was sent', () => {
    const body = JSON.parse('{"__proto__": {"code": "invalid_api_key"}, "error": {"type": "overloaded_error"}}')
    expect(producers.anthropic.classify({ status: 529, body }, env)?.class).toBe('transient')
  })
})
