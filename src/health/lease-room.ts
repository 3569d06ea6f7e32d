import type { Marks } from '../core/marks.ts'
import { SPREAD_MS } from './auth-desk.ts'

/** A call that waits for a probe to end. */
export interface Sleeping {
  /** Ends the wait at another time, where that is sooner. */
  hasten(atMs: number): void
}

/** Where calls wait while one probe goes first: once it has served there is no more to wait for. */
export class LeaseRoom {
  readonly #sleeping = new Map<string, Set<Sleeping>>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  join(key: string, call: Sleeping): void {
    const sleeping = this.#sleeping.get(key) ?? new Set()
    this.#sleeping.set(key, sleeping.add(call))
  }

  leave(key: string, call: Sleeping): void {
    const sleeping = this.#sleeping.get(key)
    sleeping?.delete(call)
    if (sleeping?.size === 0) this.#sleeping.delete(key)
  }

  /**
   * Looks at new marks: who waits for a target that nothing cools any more goes on, evenly one after another. Every
   * process hears of it at once: each begins elsewhere in its turn.
   */
  look(cooling: Marks['cooling'], random: () => number): void {
    if (this.#sleeping.size === 0) return
    const nowMs = this.#now()
    for (const [key, sleeping] of this.#sleeping) {
      const mark = cooling[key]
      if (mark !== undefined && Math.max(mark.untilMs, mark.openUntilMs ?? 0) > nowMs) continue
      this.#sleeping.delete(key)
      const stepMs = SPREAD_MS / sleeping.size
      let place = random()
      for (const call of sleeping) {
        call.hasten(nowMs + place * stepMs)
        place += 1
      }
    }
  }
}
