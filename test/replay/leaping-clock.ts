import type { Clock } from 'heed'

/**
 * A clock whose time leaps to each timer at the next turn of the event loop. Sockets stay real and waits take no time; it
 * serves one call at a time, as two would leap over each other.
 */
export function leapingClock(wallMs: number): Clock {
  let nowMs = 0
  return {
    now: () => nowMs,
    wallNow: () => wallMs + nowMs,
    setTimeout: (callback, delayMs) => {
      const dueMs = nowMs + delayMs
      return setImmediate(() => {
        nowMs = Math.max(nowMs, dueMs)
        callback()
      })
    },
    clearTimeout: (timer) => clearImmediate(timer as NodeJS.Immediate),
  }
}
