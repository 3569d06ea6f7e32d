/** Recoveries that are looked at: eight times is as long as it gets, for the window has no room for more of them. */
const MOST = 3
/** They count for so many times as long as the breaker cools. */
const WINDOW = 10
/** Of whom nothing was heard for so long nothing is kept. */
const KEPT_MS = 86_400_000

/**
 * Who recovers again and again. One success says little of a candidate that was open a moment ago: it is judged by how
 * often it recovered lately, not by the last streak.
 */
export class Flapping {
  /** Times of the latest recoveries, by candidate. */
  readonly #recoveries = new Map<string, readonly number[]>()

  recovered(candidate: string, nowMs: number): void {
    for (const [known, times] of this.#recoveries) {
      if (nowMs - (times.at(-1) ?? 0) > KEPT_MS) this.#recoveries.delete(known)
    }
    this.#recoveries.set(candidate, [...(this.#recoveries.get(candidate) ?? []), nowMs].slice(-MOST))
  }

  /** How long a breaker that opens cools: twice as long for each recovery in the window before. */
  coolMs(candidate: string, coolMs: number, nowMs: number): number {
    const lately = (this.#recoveries.get(candidate) ?? []).filter((at) => nowMs - at < WINDOW * coolMs)
    return coolMs * 2 ** lately.length
  }
}
