import type { Clock } from '../core/clock.ts'

/** A clock whose time stands still until it is told to move. */
export interface FakeClock extends Clock {
  /** Timers that have not fired. 0 once all calls have ended: heed leaves nothing behind. */
  readonly pendingTimers: number
  /** Moves time on, firing what is due in order, and lets promises settle after each. */
  advance(ms: number): Promise<void>
  /** Jumps from timer to timer until `work` settles, and answers what it settles to. */
  run<T>(work: PromiseLike<T>): Promise<T>
}

/** What {@link fakeClock} takes. */
export interface FakeClockOptions {
  /** Where the monotonic clock starts, milliseconds. @default 0 */
  readonly startMs?: number
  /** What the wall clock says then, milliseconds since the epoch. @default 2026-01-01T00:00:00Z */
  readonly wallMs?: number
}

interface Timer {
  readonly atMs: number
  readonly order: number
  readonly callback: () => void
}

/**
 * Makes a fake clock: hand it to `heed({ clock })` and hours of waiting take no time.
 *
 * @example
 * const clock = fakeClock()
 * const guard = heed({ candidates, clock, random: () => 0 })
 * const value = await clock.run(guard.execute(call))
 */
export function fakeClock({ startMs = 0, wallMs = Date.UTC(2026, 0, 1) }: FakeClockOptions = {}): FakeClock {
  let nowMs = startMs
  let made = 0
  const timers = new Map<number, Timer>()

  const first = (): readonly [number, Timer] | undefined =>
    [...timers].sort(([, one], [, other]) => one.atMs - other.atMs || one.order - other.order)[0]

  /** Fires the first timer, where it is due by then. */
  const fire = (byMs: number): boolean => {
    const next = first()
    if (next === undefined || next[1].atMs > byMs) return false
    timers.delete(next[0])
    nowMs = Math.max(nowMs, next[1].atMs)
    next[1].callback()
    return true
  }

  return {
    now: () => nowMs,
    wallNow: () => wallMs + nowMs - startMs,
    setTimeout: (callback, delayMs) => {
      made += 1
      timers.set(made, { atMs: nowMs + Math.max(0, delayMs), order: made, callback })
      return made
    },
    clearTimeout: (timer) => {
      timers.delete(timer as number)
    },
    get pendingTimers() {
      return timers.size
    },
    advance: async (ms) => {
      const untilMs = nowMs + ms
      await settled()
      while (fire(untilMs)) await settled()
      nowMs = untilMs
      await settled()
    },
    run: async (work) => {
      let over = false
      const mark = (): void => {
        over = true
      }
      work.then(mark, mark)
      await settled()
      while (!over) {
        if (!fire(Number.POSITIVE_INFINITY)) {
          throw new Error('fakeClock.run: nothing is waiting for time, and the work has not settled')
        }
        await settled()
      }
      return work
    },
  }
}

/** A turn of the event loop: by then every promise that could settle has. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    const { setImmediate } = globalThis as { setImmediate?: (callback: () => void) => void }
    if (setImmediate !== undefined) {
      setImmediate(resolve)
      return
    }
    const channel = new MessageChannel()
    channel.port1.onmessage = () => {
      channel.port1.close()
      resolve()
    }
    channel.port2.postMessage(undefined)
  })
}
