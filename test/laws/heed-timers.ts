import type { Clock } from 'heed'

/** A clock of heed's own, beside the script's. */
export interface HeedTimers {
  readonly clock: Clock
  /** Timers of heed's that have not fired. */
  readonly pending: () => number
}

/** The same time, with the timers that heed sets counted apart from the script's. */
export function heedTimers(clock: Clock): HeedTimers {
  const timers = new Set<unknown>()
  return {
    pending: () => timers.size,
    clock: {
      now: () => clock.now(),
      wallNow: () => clock.wallNow(),
      setTimeout: (callback, delayMs) => {
        const timer = clock.setTimeout(() => {
          timers.delete(timer)
          callback()
        }, delayMs)
        timers.add(timer)
        return timer
      },
      clearTimeout: (timer) => {
        timers.delete(timer)
        clock.clearTimeout(timer)
      },
    },
  }
}
