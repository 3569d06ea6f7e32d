import type { Clock } from 'heed'
import type { FakeClock } from 'heed/testing'

/** The same clock for heed, with its timers counted apart from the scenario's. */
export function counted(clock: FakeClock): { readonly clock: Clock; readonly pending: () => number } {
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
