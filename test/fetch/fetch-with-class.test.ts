import { inspect } from 'node:util'
import { type Producer, readClassification } from 'heed'
import { type FetchAnswer, fetchWithClass, isHttpError } from 'heed/fetch'
import { producers } from 'heed/producers'
import { fetch as undiciFetch } from 'undici'
import { describe, expect, test } from 'vitest'
import { httpError, rejection } from './rejection.ts'

const URL = 'https://api.example.com/v1/chat'

/** A client that answers the same each time, and counts. */
function client(answer: () => FetchAnswer | Promise<FetchAnswer>): {
  fetch: () => Promise<FetchAnswer>
  calls: number
} {
  const counted = { calls: 0, fetch: async () => answer() }
  return {
    get calls() {
      return counted.calls
    },
    fetch: () => {
      counted.calls += 1
      return counted.fetch()
    },
  }
}

const answers = (status: number, body: unknown, headers: Record<string, string> = {}): (() => Response) => {
  return () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
}

const failing = (status: number, body: unknown, headers?: Record<string, string>): Promise<unknown> =>
  fetchWithClass({ fetch: client(answers(status, body, headers)).fetch })()

describe('a success', () => {
  test.each([200, 201, 204, 206])('%i is the same response, its body not touched', async (status) => {
    const response = new Response(status === 204 ? null : 'text', { status })
    expect(await fetchWithClass({ fetch: async () => response })()).toBe(response)
    expect(response.bodyUsed).toBe(false)
  })

  test('all arguments reach the client as they are', async () => {
    const seen: unknown[] = []
    const init = { method: 'POST', body: 'x' }
    await fetchWithClass({
      fetch: async (...args: unknown[]) => {
        seen.push(...args)
        return new Response()
      },
    })(URL, init, 'more')
    expect(seen).toEqual([URL, init, 'more'])
    expect(seen[1]).toBe(init)
  })

  test('without a client it is the global one, as it is when called', async () => {
    const before = globalThis.fetch
    const fetch = fetchWithClass()
    try {
      globalThis.fetch = async () => new Response('mine')
      expect(await (await fetch(URL)).text()).toBe('mine')
    } finally {
      globalThis.fetch = before
    }
  })
})

describe('a failure', () => {
  test('has the contract’s fields, which are read without an adapter', async () => {
    const error = await httpError(failing(529, { error: { type: 'overloaded_error' } }, { 'retry-after': '7' }))
    expect({ ...error }).toEqual({
      name: 'HttpError',
      code: 'http_error',
      status: 529,
      class: 'transient',
      retry_after_secs: 7,
    })
    expect(readClassification(error)).toEqual({ class: 'transient', retryAfterSecs: 7 })
    expect(readClassification(JSON.parse(JSON.stringify(error)))).toEqual({ class: 'transient', retryAfterSecs: 7 })
    expect(readClassification(new Error('an SDK around it', { cause: error })).class).toBe('transient')
    expect(isHttpError(error)).toBe(true)
  })

  test.each([
    [429, { error: { code: 'insufficient_quota' } }, 'permanent'],
    [429, { error: { code: 'rate_limit_exceeded' } }, 'transient'],
    [401, {}, 'auth_required'],
    [403, {}, 'permanent'],
    [413, 'Payload Too Large', 'context_overflow'],
    [502, '<html><h1>Bad Gateway</h1></html>', 'transient'],
  ])('%i %j is %s by default', async (status, body, expected) => {
    expect((await httpError(failing(status, body))).class).toBe(expected)
  })

  test('is read by the producer that was given', async () => {
    const body = { error: { type: 'exceeded_current_quota_error', message: 'x' } }
    const { fetch } = client(answers(429, body))
    expect((await httpError(fetchWithClass({ fetch, producer: producers.moonshot })())).class).toBe('permanent')
    expect((await httpError(fetchWithClass({ fetch, producer: producers.http })())).class).toBe('transient')
  })

  test('the producer knows the API by its host', async () => {
    const seen: unknown[] = []
    const producer: Producer = { classify: (raw) => void seen.push(raw) }
    const response = Object.defineProperty(answers(503, { a: 1 }, { 'X-Odd': 'Y' })(), 'url', { value: URL })
    await httpError(fetchWithClass({ fetch: async () => response, producer })())
    const headers = { 'content-type': 'text/plain;charset=UTF-8', 'x-odd': 'Y' }
    expect(seen).toEqual([{ status: 503, headers, body: { a: 1 }, url: URL }])
  })

  test('a class that the server states beats the adapter’s, and an unknown one does not', async () => {
    const stated = await httpError(failing(503, { error: { class: 'permanent', message: 'x' } }))
    expect(stated.class).toBe('permanent')
    expect((await httpError(failing(503, { class: 'sky_fell' }))).class).toBe('transient')
    const { fetch } = client(answers(503, { class: 'sky_fell', retry_after_secs: 3 }))
    const silent = await httpError(fetchWithClass({ fetch, producer: { classify: () => undefined } })())
    expect(JSON.parse(JSON.stringify(silent))).toMatchObject({ class: 'sky_fell', retry_after_secs: 3 })
  })

  test('what a heed behind the server gave up stays given up', async () => {
    const error = await httpError(failing(503, { class: 'transient', exhausted: true }))
    expect(readClassification(error)).toEqual({ class: 'transient', exhausted: true })
    expect(error.toJSON().exhausted).toBe(true)
  })

  test('what may have been executed has no class for those who cannot read that', async () => {
    const { fetch } = client(answers(500, {}))
    const producer: Producer = { classify: () => ({ class: 'transient', ambiguous: true, retryAfterSecs: 1 }) }
    const error = await httpError(fetchWithClass({ fetch, producer })())
    expect(readClassification(error)).toEqual({ class: undefined })
    expect(error.classification).toEqual({ class: 'transient', ambiguous: true, retryAfterSecs: 1 })
  })

  test('shows nothing that the server wrote', async () => {
    const secret = 'sk-live-0123456789'
    const response = answers(401, { error: { message: `Incorrect API key: ${secret}` } }, { 'x-key': secret })()
    Object.defineProperty(response, 'url', { value: `${URL}?key=${secret}` })
    const error = await httpError(fetchWithClass({ fetch: async () => response })())
    for (const shown of [JSON.stringify(error), inspect(error), String(error), JSON.stringify({ ...error })]) {
      expect(shown).toContain('HttpError')
      expect(shown).not.toContain(secret)
    }
    expect(error.toJSON()).toEqual({
      name: 'HttpError',
      code: 'http_error',
      message: 'heed: the server answered with status 401',
      status: 401,
      class: 'auth_required',
    })
    expect(error.body).toEqual({ error: { message: `Incorrect API key: ${secret}` } })
    expect(error.headers['x-key']).toBe(secret)
    expect(error.url).toContain(secret)
    expect(error.classification.detail).toMatchObject({ status: 401 })
  })

  test('costs one request', async () => {
    const asked = client(answers(503, {}))
    await httpError(fetchWithClass({ fetch: asked.fetch })())
    expect(asked.calls).toBe(1)
  })

  test.each([
    [
      'that throws',
      {
        classify: () => {
          throw new Error('bug')
        },
      },
    ],
    ['that answers null', { classify: () => null as never }],
    ['that answers a malformed hint', { classify: () => ({ class: undefined, retryAfterSecs: Number.NaN }) }],
  ])('a producer %s leaves it without a class', async (_what, producer) => {
    const error = await httpError(fetchWithClass({ fetch: client(answers(503, {})).fetch, producer })())
    expect([error.status, 'class' in error, 'retry_after_secs' in error]).toEqual([503, false, false])
  })
})

describe('what is neither', () => {
  test('a redirect that nobody asked to keep is a failure without a class', async () => {
    const error = await httpError(failing(302, '', { location: '/login' }))
    expect([error.status, readClassification(error)]).toEqual([302, { class: undefined }])
  })

  test('a redirect that the caller keeps, 304 and an opaque response come back', async () => {
    const redirect = new Response(null, { status: 302 })
    const fetch = fetchWithClass({ fetch: async (..._: unknown[]) => redirect })
    expect(await fetch(URL, { redirect: 'manual' })).toBe(redirect)
    expect(await fetch(new Request(URL, { redirect: 'manual' }))).toBe(redirect)
    expect(isHttpError(await rejection(fetch(URL, { redirect: 'follow' })))).toBe(true)
    const unchanged = new Response(null, { status: 304 })
    expect(await fetchWithClass({ fetch: async () => unchanged })()).toBe(unchanged)
    const opaque = { ok: false, status: 0, headers: new Headers() }
    expect(await fetchWithClass({ fetch: async () => opaque })()).toBe(opaque)
  })

  test('what failed on the way is thrown as it came, for the same producer to read', async () => {
    const reset = new TypeError('fetch failed', { cause: Object.assign(new Error('read'), { code: 'ECONNRESET' }) })
    const thrown = await rejection(fetchWithClass({ fetch: () => Promise.reject(reset) })())
    expect(thrown).toBe(reset)
    expect(producers.openai.classify(thrown, { nowMs: 0 })).toMatchObject({ class: undefined, ambiguous: true })
  })
})

test('the type is the client’s own', () => {
  const same: typeof undiciFetch = fetchWithClass({ fetch: undiciFetch })
  const global: typeof globalThis.fetch = fetchWithClass()
  expect([typeof same, typeof global]).toEqual(['function', 'function'])
})

test.each([
  [{ producer: {} as never }, 'fetchWithClass: producer: give a producer, an object with classify()'],
  [{ maxBodyBytes: Number.NaN }, 'fetchWithClass: maxBodyBytes: give a number, 0 or more'],
  [{ maxBodyBytes: -1 }, 'fetchWithClass: maxBodyBytes: give a number, 0 or more'],
  [{ bodyTimeoutMs: '5' as never }, 'fetchWithClass: bodyTimeoutMs: give a number, 0 or more'],
  [{ fetch: 1 as never }, 'fetchWithClass: fetch: give a function'],
  [{ clock: 5 as never }, 'fetchWithClass: clock: give now, wallNow, setTimeout and clearTimeout'],
  [
    { clock: { now: () => 0, wallNow: () => 0 } as never },
    'fetchWithClass: clock: give now, wallNow, setTimeout and clearTimeout',
  ],
  [
    { maxBytes: 1 } as never,
    'fetchWithClass: maxBytes is not an option; give producer, maxBodyBytes, bodyTimeoutMs, clock or fetch',
  ],
  [
    null as never,
    'fetchWithClass: the options: give an object with producer, maxBodyBytes, bodyTimeoutMs, clock or fetch',
  ],
])('%j is refused', (options, message) => {
  expect(() => fetchWithClass(options)).toThrow(new TypeError(message))
})

test('isHttpError tells by the brand', () => {
  expect([isHttpError(new Error('x')), isHttpError(null), isHttpError({ name: 'HttpError' })]).toEqual([
    false,
    false,
    false,
  ])
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('trap')
      },
    },
  )
  expect(isHttpError(hostile)).toBe(false)
})
