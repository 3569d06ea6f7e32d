import { getEventListeners } from 'node:events'
import { inspect } from 'node:util'
import { type Producer, readClassification } from 'heed'
import { type FetchAnswer, fetchWithClass, isHttpError } from 'heed/fetch'
import { producers } from 'heed/producers'
import { fakeClock } from 'heed/testing'
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

/** A body that gives one chunk at a time and tells what became of it. */
function trickle(chunks: readonly string[], end: 'closes' | 'stalls' | 'breaks') {
  const seen = { pulls: 0, cancelled: false }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const chunk = chunks[seen.pulls]
        seen.pulls += 1
        if (chunk !== undefined) controller.enqueue(new TextEncoder().encode(chunk))
        else if (end === 'closes') controller.close()
        else if (end === 'breaks') controller.error(new TypeError('terminated'))
        else return new Promise(() => undefined)
        return undefined
      },
      cancel: () => {
        seen.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { seen, stream }
}

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

describe('the body', () => {
  const long = 'x'.repeat(1_000)
  const respond = (stream: unknown, headers = {}) => {
    const response = { ok: false, status: 503, headers: new Headers(headers), body: stream }
    return async (..._: unknown[]) => response
  }

  test('is read up to its bound, and the rest is cancelled', async () => {
    const { seen, stream } = trickle(
      Array.from({ length: 10_000 }, () => long),
      'closes',
    )
    const error = await httpError(fetchWithClass({ fetch: respond(stream), maxBodyBytes: 2_500 })())
    expect(error.body).toBe('x'.repeat(2_500))
    expect(error.cause).toBeUndefined()
    expect(seen).toEqual({ pulls: 3, cancelled: true })
  })

  test('of megabytes costs 65,536 bytes by default', async () => {
    const { seen, stream } = trickle(
      Array.from({ length: 10_000 }, () => long),
      'closes',
    )
    const error = await httpError(fetchWithClass({ fetch: respond(stream) })())
    expect([(error.body as string).length, seen.pulls, seen.cancelled]).toEqual([65_536, 66, true])
  })

  test('is not read at all where the bound is 0', async () => {
    const { seen, stream } = trickle([long], 'closes')
    const error = await httpError(fetchWithClass({ fetch: respond(stream), maxBodyBytes: 0 })())
    expect([error.body, error.class, seen]).toEqual(['', 'transient', { pulls: 0, cancelled: true }])
  })

  test('that breaks leaves what came, the status and the headers', async () => {
    const { stream } = trickle(['{"error":{"code":"insufficient_quota"'], 'breaks')
    const error = await httpError(fetchWithClass({ fetch: respond(stream, { 'retry-after': '9' }) })())
    expect([error.class, error.cause]).toEqual(['permanent', new TypeError('terminated')])
    const none = await httpError(
      fetchWithClass({ fetch: respond(trickle([], 'breaks').stream, { 'retry-after': '9' }) })(),
    )
    expect([none.class, none.retry_after_secs]).toEqual(['transient', 9])
  })

  test('that stalls is given up after bodyTimeoutMs', async () => {
    const clock = fakeClock()
    const { seen, stream } = trickle(['{'], 'stalls')
    const failed = httpError(fetchWithClass({ fetch: respond(stream, { 'retry-after': '9' }), clock })())
    await clock.advance(4_999)
    expect(seen.cancelled).toBe(false)
    await clock.advance(1)
    expect(await failed).toMatchObject({ class: 'transient', retry_after_secs: 9 })
    expect((await failed).cause).toEqual(new Error('heed: the body took longer than bodyTimeoutMs (5000)'))
    expect([seen.cancelled, clock.pendingTimers]).toEqual([true, 0])
  })

  test('that comes in time leaves no timer, and 0 sets none', async () => {
    const clock = fakeClock()
    await httpError(fetchWithClass({ fetch: respond(trickle([long], 'closes').stream), clock })())
    expect(clock.pendingTimers).toBe(0)
    const { signal } = new AbortController()
    const { fetch } = {
      fetch: fetchWithClass({ fetch: respond(trickle([], 'stalls').stream), clock, bodyTimeoutMs: 0 }),
    }
    void rejection(fetch(URL, { signal }))
    await clock.advance(0)
    expect(clock.pendingTimers).toBe(0)
  })

  test.each([
    ['the options', (signal: AbortSignal) => [URL, { signal }]],
    ['a Request', (signal: AbortSignal) => [{ url: URL, signal }]],
  ])('that stalls ends with the caller’s own reason, the signal in %s', async (_where, args) => {
    const clock = fakeClock()
    const caller = new AbortController()
    const { seen, stream } = trickle(['{'], 'stalls')
    const failed = rejection(fetchWithClass({ fetch: respond(stream), clock })(...args(caller.signal)))
    await clock.advance(10)
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1)
    const reason = { mine: true }
    caller.abort(reason)
    expect(await failed).toBe(reason)
    expect(seen.cancelled).toBe(true)
    expect([clock.pendingTimers, getEventListeners(caller.signal, 'abort').length]).toEqual([0, 0])
  })

  test('that is done leaves no listener on the signal', async () => {
    const { signal } = new AbortController()
    await httpError(fetchWithClass({ fetch: respond(trickle([long], 'closes').stream) })(URL, { signal }))
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  test('of a caller who had gone before it came is not read', async () => {
    const { seen, stream } = trickle([long], 'closes')
    const reason = new Error('gone')
    const signal = AbortSignal.abort(reason)
    expect(await rejection(fetchWithClass({ fetch: respond(stream) })(URL, { signal }))).toBe(reason)
    expect(seen.cancelled).toBe(true)
  })

  test('of an older client is anything that can be iterated', async () => {
    const destroyed: string[] = []
    const quota = ['{"error":{"code":', Buffer.from('"insufficient_quota"}}')]
    const body = {
      [Symbol.asyncIterator]: () => {
        let at = -1
        return {
          next: async () => {
            at += 1
            return at < quota.length ? { value: quota[at] } : { done: true, value: undefined }
          },
        }
      },
      destroy: () => destroyed.push('body'),
    }
    expect((await httpError(fetchWithClass({ fetch: respond(body) })())).class).toBe('permanent')
    expect(destroyed).toEqual([])
    await httpError(fetchWithClass({ fetch: respond(body), maxBodyBytes: 4 })())
    expect(destroyed).toEqual(['body'])
  })

  test.each([
    ['none', null],
    [
      'one that was read',
      (() => {
        const { stream } = trickle([], 'closes')
        stream.getReader()
        return stream
      })(),
    ],
    [
      'one of no bytes',
      (async function* () {
        yield { a: 1 }
      })(),
    ],
  ])('%s leaves the status', async (_what, body) => {
    expect((await httpError(fetchWithClass({ fetch: respond(body) })())).class).toBe('transient')
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
