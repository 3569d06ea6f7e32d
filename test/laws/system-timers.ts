/** The process's timers while they are watched. */
export interface SystemTimers {
  readonly made: () => number
  /** Made, and neither fired nor cleared. */
  readonly alive: () => number
  readonly restore: () => void
}

/** Watches the timers that are made through the globals from here on, as heed's own clock makes them. */
export function systemTimers(): SystemTimers {
  const { setTimeout: set, clearTimeout: clear } = globalThis
  const alive = new Set<unknown>()
  let made = 0
  globalThis.setTimeout = ((callback: () => void, delayMs: number) => {
    const timer = set(() => {
      alive.delete(timer)
      callback()
    }, delayMs)
    made += 1
    alive.add(timer)
    return timer
  }) as typeof setTimeout
  globalThis.clearTimeout = (timer) => {
    alive.delete(timer)
    clear(timer)
  }
  return {
    made: () => made,
    alive: () => alive.size,
    restore: () => {
      globalThis.setTimeout = set
      globalThis.clearTimeout = clear
    },
  }
}
