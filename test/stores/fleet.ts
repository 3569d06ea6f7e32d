import { createHealth, type Guard, HEALTH_EVENTS, type HealthEventName, type HeedOptions, heed } from 'heed'
import { type FakeClock, fakeClock, type MemoryStore, type MemoryStoreOptions, memoryStore } from 'heed/testing'

/** One process of a fleet: a guard, and all that its channel said. */
export interface Member {
  readonly guard: Guard<Chained>
  readonly heard: readonly { readonly name: HealthEventName; readonly event: Readonly<Record<string, unknown>> }[]
  readonly of: (name: HealthEventName) => readonly Readonly<Record<string, unknown>>[]
}

export interface Chained {
  readonly id: string
  readonly provider: string
  readonly credentials?: readonly string[]
}

/** Several processes in one: each a health of its own over one store, all by one clock. */
export interface Fleet {
  readonly clock: FakeClock
  readonly store: MemoryStore
  join(more?: Partial<HeedOptions<Chained>>, skewMs?: number): Member
}

export const A: Chained = { id: 'a', provider: 'p' }
export const B: Chained = { id: 'b', provider: 'q' }

/** Makes a fleet whose members join when they are asked to. */
export function fleet(options: Partial<HeedOptions<Chained>> = {}, network: MemoryStoreOptions = {}): Fleet {
  const clock = fakeClock({ startMs: 1_000_000 })
  const store = memoryStore({ clock, ...network })
  // As far apart as numbers can be, however many are drawn, and the same in each run.
  let drawn = 0
  const random = (): number => {
    drawn = (drawn + (Math.sqrt(5) - 1) / 2) % 1
    return drawn
  }
  return {
    clock,
    store,
    join: (more = {}, skewMs = 0) => {
      const own = skewed(clock, skewMs)
      const health = createHealth({ store, clock: own, random })
      const heard: { name: HealthEventName; event: Record<string, unknown> }[] = []
      for (const name of HEALTH_EVENTS) {
        health.on(name, (event) => {
          heard.push({ name, event: { ...event } })
        })
      }
      const guard = heed<Chained>({ candidates: [A], random: () => 0, clock: own, ...options, ...more, health })
      return {
        guard,
        heard,
        of: (name) => heard.filter((each) => each.name === name).map(({ event }) => event),
      }
    },
  }
}

/** The same time by a clock that shows another. */
function skewed(clock: FakeClock, skewMs: number): FakeClock {
  return {
    now: () => clock.now() + skewMs,
    wallNow: () => clock.wallNow() + skewMs,
    setTimeout: (callback, delayMs) => clock.setTimeout(callback, delayMs),
    clearTimeout: (timer) => clock.clearTimeout(timer),
    get pendingTimers() {
      return clock.pendingTimers
    },
    advance: (ms) => clock.advance(ms),
    run: (work) => clock.run(work),
  }
}
