import { getEventListeners } from 'node:events'
import { heed } from 'heed'
import { expect, test } from 'vitest'
import { systemTimers } from '../laws/system-timers.ts'
import { heapBytes } from './heap.ts'

const WAITS = 10_000
const ALLOWED_BYTES = 4_000_000

const later = Object.assign(new Error('later'), { class: 'transient', retry_after_secs: 50 })
const refused = Object.assign(new Error('sign in'), { class: 'auth_required' })

/** What a call waits for when it is aborted. */
const STATES: Readonly<Record<string, () => unknown>> = {
  'the wait of a hint': () => Promise.reject(later),
  'a pause': () => Promise.reject(refused),
  'an attempt with a limit': () => new Promise(() => {}),
}

test.each(Object.entries(STATES))('10,000 calls aborted together in %s', async (_state, fn) => {
  const timers = systemTimers()
  try {
    const before = await heapBytes()
    const controller = new AbortController()
    const { signal } = controller
    let added = 0
    const add = signal.addEventListener
    signal.addEventListener = (...args: Parameters<typeof add>): void => {
      added += 1
      add.apply(signal, args)
    }
    const reason = new Error('enough')
    await (async () => {
      const guard = heed({ candidates: [{ id: 'one', provider: 'acme' }], budget: false, attemptTimeoutMs: 60_000 })
      const outcomes = Array.from({ length: WAITS }, () => guard.settle(fn, { abortSignal: signal }))
      await new Promise(setImmediate)
      // However many wait: one listener for the signal, and one timer for the clock.
      expect(added).toBe(1)
      expect(timers.alive()).toBe(1)
      controller.abort(reason)
      for (const outcome of await Promise.all(outcomes)) {
        if (outcome.status !== 'cancelled' || outcome.error !== reason) expect(outcome).toBe('cancelled')
      }
      expect(guard.auth.pending().filter(({ waiting }) => waiting > 0)).toEqual([])
    })()
    expect(timers.alive()).toBe(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect((await heapBytes()) - before).toBeLessThan(ALLOWED_BYTES)
  } finally {
    timers.restore()
  }
})

test.each(Object.entries(STATES))('10,000 calls aborted one after the other in %s', async (_state, fn) => {
  const timers = systemTimers()
  const guard = heed({ candidates: [{ id: 'one', provider: 'acme' }], budget: false, attemptTimeoutMs: 60_000 })
  const aborted = async (): Promise<void> => {
    const controller = new AbortController()
    const outcome = guard.settle(fn, { abortSignal: controller.signal })
    await new Promise(setImmediate)
    controller.abort('enough')
    expect(await outcome).toMatchObject({ status: 'cancelled', error: 'enough' })
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  }
  try {
    for (let number = 0; number < 1_000; number += 1) await aborted()
    const before = await heapBytes()
    for (let number = 1_000; number < WAITS; number += 1) await aborted()
    expect((await heapBytes()) - before).toBeLessThan(ALLOWED_BYTES)
    expect(timers.alive()).toBe(0)
  } finally {
    timers.restore()
  }
})
