import { getEventListeners } from 'node:events'
import { inspect } from 'node:util'
import { fetchWithClass } from 'heed/fetch'
import { fakeClock } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { httpError, rejection } from './rejection.ts'

const URL = 'https://api.example.com/v1/chat'

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
    expect(inspect(error)).toContain('"status":503')
    expect(inspect(error)).not.toContain('terminated')
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

  describe('that has its next chunk always ready, so that no timer fires', () => {
    /** A chunk at each read, and time that goes on by one with it. Ends where a test would else not. */
    const hasty = (chunk: Uint8Array) => {
      const seen = { reads: 0 }
      const next = async () => {
        seen.reads += 1
        return { done: seen.reads === 10_000, value: chunk }
      }
      const clock = { ...fakeClock(), now: () => seen.reads }
      return { seen, clock, fetch: respond({ [Symbol.asyncIterator]: () => ({ next }) }) }
    }

    test.each([0, 3])('does not outrun bodyTimeoutMs, with chunks of %d bytes', async (bytes) => {
      const { seen, clock, fetch } = hasty(new Uint8Array(bytes).fill(120))
      const error = await httpError(fetchWithClass({ fetch, clock, bodyTimeoutMs: 50 })())
      expect(error.cause).toEqual(new Error('heed: the body took longer than bodyTimeoutMs (50)'))
      expect([error.body, error.class, seen.reads]).toEqual(['x'.repeat(50 * bytes), 'transient', 50])
    })

    test('comes to its bound with empty chunks too, where there is no limit of time', async () => {
      const { seen, clock, fetch } = hasty(new Uint8Array(0))
      const error = await httpError(fetchWithClass({ fetch, clock, bodyTimeoutMs: 0, maxBodyBytes: 1_000 })())
      expect([error.body, error.class, seen.reads]).toEqual(['', 'transient', 1_000])
    })
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
