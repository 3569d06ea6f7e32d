import { describe, expect, test } from 'vitest'
import { llm, producers } from '../../src/producers/index.ts'
import { type Answer, answers, env, factsOf, verdictOf } from './answers.ts'

type Facts = Record<string, unknown>

/** The same object with its keys in the opposite order, all the way down. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, each]) => [key, reversed(each)]),
  )
}

const shouting = (headers: unknown): Facts =>
  Object.fromEntries(Object.entries(headers as Facts).map(([name, value]) => [name.toUpperCase(), value]))

const isBody = (answer: Answer): boolean =>
  typeof answer.body === 'object' && answer.body !== null && !Array.isArray(answer.body)

/** Each changes how an answer is written, never what it says. */
const rewritings: Readonly<Record<string, (answer: Answer) => unknown>> = {
  'keys in the opposite order': (answer) => reversed(factsOf(answer)),
  'headers in capitals': (answer) => ({ ...factsOf(answer), headers: shouting(answer.headers) }),
  'headers as Headers': (answer) => ({ ...factsOf(answer), headers: new Headers(plain(answer.headers)) }),
  'headers as a Map': (answer) => ({ ...factsOf(answer), headers: new Map(Object.entries(shouting(answer.headers))) }),
  'headers as lists': (answer) => ({
    ...factsOf(answer),
    headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, [value]])),
  }),
  'headers as raw pairs': (answer) => ({ ...factsOf(answer), headers: Object.entries(answer.headers).flat() }),
  'extra fields': (answer) => ({
    ...factsOf(answer),
    requestId: 'r-1',
    attempt: 3,
    ...(isBody(answer)
      ? { body: { trace: { span: 7 }, ...(answer.body as Facts), ok: false, took_ms: 401 } }
      : undefined),
  }),
  'the body in `error`': (answer) => ({ status: answer.status, headers: answer.headers, error: answer.body }),
  'the body as a string': (answer) => ({ ...factsOf(answer), body: JSON.stringify(answer.body) }),
  'the body as a string in a string': (answer) => ({
    ...factsOf(answer),
    body: JSON.stringify(JSON.stringify(answer.body)),
  }),
  'an SDK error with `error`': (answer) =>
    Object.assign(new Error('The request failed'), {
      status: answer.status,
      headers: new Headers(plain(answer.headers)),
      error: answer.body,
    }),
  'an SDK error with `responseBody`': (answer) =>
    Object.assign(new Error('The request failed'), {
      name: 'AI_APICallError',
      statusCode: answer.status,
      responseHeaders: answer.headers,
      responseBody: JSON.stringify(answer.body),
      isRetryable: true,
    }),
  'an SDK error with `response`': (answer) =>
    Object.assign(new Error('The request failed'), {
      response: { status: answer.status, headers: answer.headers, data: answer.body },
    }),
  'two causes deep': (answer) =>
    new Error('The call failed', {
      cause: new Error('The step failed', { cause: Object.assign(new Error('x'), factsOf(answer)) }),
    }),
}

/** Header values must be ASCII for `Headers`. */
const plain = (headers: Readonly<Record<string, string>>): Record<string, string> => ({ ...headers })

describe.each(Object.entries(rewritings))('%s', (_name, rewrite) => {
  test('changes no answer', () => {
    const changed = answers.flatMap((answer) => {
      const [before, after] = [factsOf(answer), rewrite(answer)].map((raw) =>
        verdictOf(producers[answer.provider].classify(raw, env)),
      )
      return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ id: answer.id, before, after }]
    })
    expect(changed).toEqual([])
  })
})

const misleading = [
  'Everything is fine.',
  'You are out of credits, please top up. 401 Unauthorized: invalid api key. Prompt is too long.',
  'fetch failed: read ECONNRESET; rate limit reached, please try again in 17s',
]

/** Everything that is a message, replaced. */
function resaid(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map((each) => resaid(each, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === 'message' && typeof each === 'string' ? text : resaid(each, text),
    ]),
  )
}

/** Messages that hold the code themselves cannot be replaced without it. */
const coded = answers.filter((answer) => {
  const { detail } = producers[answer.provider].classify(factsOf(answer), env) ?? {}
  const { rule = '' } = (detail ?? {}) as { rule?: string }
  return (
    rule.includes('.code.') &&
    !/exception\)|RetryError|CohereError|MCP error/i.test(JSON.stringify(answer.body)) &&
    !/\\"|FreeUsage/.test(JSON.stringify(answer.body))
  )
})

describe('other words around a structured code', () => {
  test('there are enough cases', () => expect(coded.length).toBeGreaterThan(40))
  test.each(misleading)('%s', (text) => {
    const changed = coded.flatMap((answer) => {
      const found = producers[answer.provider].classify({ ...factsOf(answer), body: resaid(answer.body, text) }, env)
      return found?.class === answer.expected.class && found.ambiguous !== true ? [] : [answer.id]
    })
    expect(changed).toEqual([])
  })
})

test('llm() sees through the same wrappings', () => {
  const any = llm()
  const changed = answers.filter((answer) => {
    const wrapped = rewritings['two causes deep']?.(answer)
    return (
      JSON.stringify(verdictOf(any.classify(wrapped, env))) !==
      JSON.stringify(verdictOf(any.classify(factsOf(answer), env)))
    )
  })
  expect(changed.map(({ id }) => id)).toEqual([])
})
