import type { Clock } from 'heed'

/**
 * A clock that stops at given times besides those of its timers, and rings all timers of its user's there, early. heed
 * waits in whole milliseconds, rounded up; early rings are harmless to it, so that here it goes on at exact times.
 */
export interface SteppedClock extends Clock {
  /** A timer that is not rung early. */
  at(atMs: number): Promise<void>
  /** Goes from stop to stop until there are no timers. */
  run(): Promise<void>
}

interface Timer {
  readonly atMs: number
  readonly callback: () => void
  readonly exact: boolean
}

export function steppedClock(stops: readonly number[]): SteppedClock {
  const ahead = [...new Set(stops)].sort((one, other) => one - other)
  const timers = new Set<Timer>()
  let nowMs = 0
  const add = (timer: Timer): Timer => {
    timers.add(timer)
    return timer
  }
  const ring = (timer: Timer): Promise<void> => {
    timers.delete(timer)
    timer.callback()
    return settled()
  }
  return {
    now: () => nowMs,
    wallNow: () => nowMs,
    setTimeout: (callback, delayMs) => add({ atMs: nowMs + delayMs, callback, exact: false }),
    clearTimeout: (timer) => void timers.delete(timer as Timer),
    at: (atMs) => new Promise((resolve) => void add({ atMs, callback: resolve, exact: true })),
    run: async () => {
      await settled()
      while (timers.size > 0) {
        const first = [...timers].reduce((best, timer) => (timer.atMs < best.atMs ? timer : best))
        const stop = ahead[0]
        if (stop === undefined || first.atMs <= stop) {
          nowMs = Math.max(nowMs, first.atMs)
          await ring(first)
          continue
        }
        ahead.shift()
        nowMs = Math.max(nowMs, stop)
        for (const timer of [...timers]) if (!timer.exact && timers.has(timer)) await ring(timer)
      }
    },
  }
}

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
