import { getEventListeners } from 'node:events'
import { heed } from 'heed'
import { expect, test } from 'vitest'
import { systemTimers } from '../laws/system-timers.ts'
import { heapBytes } from './heap.ts'

const CALLS = 100_000
const WARM_UP = 5_000
/** Forty bytes a call would be over it; one object a call is more than that. */
const ALLOWED_BYTES = 4_000_000

const failure = Object.assign(new Error('try again'), { class: 'transient' })
const candidates = [
  { id: 'one', provider: 'acme' },
  { id: 'two', provider: 'globex' },
]

async function* items(): AsyncGenerator<number> {
  yield 1
  yield 2
}

const KINDS: Readonly<Record<string, (signal: AbortSignal) => (number: number) => Promise<unknown>>> = {
  'execute, success': (abortSignal) => {
    const guard = heed({ candidates })
    return () => guard.execute(() => 'value', { abortSignal })
  },
  'execute, one failure, then success': (abortSignal) => {
    const guard = heed({ candidates, backoff: () => 0, budget: false })
    return () =>
      guard.execute(
        ({ number }) => {
          if (number === 1) throw failure
          return 'value'
        },
        { abortSignal },
      )
  },
  'settle, all candidates failing, with a deadline and a limit per attempt': (abortSignal) => {
    const attempts = { perTarget: 1 }
    const guard = heed({ candidates, attempts, budget: false, attemptTimeoutMs: 60_000, timeoutMs: 60_000 })
    return () => guard.settle(() => Promise.reject(failure), { abortSignal })
  },
  'stream, to its end': (abortSignal) => {
    const guard = heed({ candidates, idleTimeoutMs: 60_000 })
    return async () => {
      for await (const item of guard.stream(items, { abortSignal })) expect(item).toBeGreaterThan(0)
    }
  },
  'stream, left after its first item': (abortSignal) => {
    const guard = heed({ candidates })
    return async () => {
      for await (const item of guard.stream(items, { abortSignal })) if (item === 1) break
    }
  },
}

test.each(Object.entries(KINDS))('100,000 calls against one long-lived signal: %s', async (_kind, calling) => {
  const { signal } = new AbortController()
  let [added, removed] = [0, 0]
  const [add, remove] = [signal.addEventListener, signal.removeEventListener]
  signal.addEventListener = (...args: Parameters<typeof add>): void => {
    added += 1
    add.apply(signal, args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
    removed += 1
    remove.apply(signal, args)
  }
  const call = calling(signal)
  const timers = systemTimers()
  try {
    for (let number = 0; number < WARM_UP; number += 1) await call(number)
    const before = await heapBytes()
    for (let number = WARM_UP; number < CALLS; number += 1) await call(number)
    expect((await heapBytes()) - before).toBeLessThan(ALLOWED_BYTES)
    expect(timers.alive()).toBe(0)
  } finally {
    timers.restore()
  }
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(added).toBeGreaterThan(0)
  expect(removed).toBe(added)
})
