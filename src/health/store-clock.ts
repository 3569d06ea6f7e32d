/** News that are later than that are none of a store that is up. */
const MOST_ON_THE_WAY_MS = 5_000
/** Clocks part by as much of the time that goes by: what is known of another grows old. */
const DRIFT = 500e-6

/**
 * The store's clock as this process reckons it. It lies between what it showed when an answer was made and the times
 * here before and after; each message narrows that down. Times go to the store by one bound and come back by the
 * other, so that no mark ends early, and a message that was long on its way is late and not longer.
 */
export class StoreClock {
  /** Whether the store has ever shown its time. */
  isKnown = false
  /** The own clock less the store's: at least, and at most. */
  #leastMs = 0
  #mostMs = 0
  /** When it last showed its time, by the own clock. */
  #shownMs = 0

  /**
   * Takes in what the store's clock showed.
   *
   * @param askedMs - When it was asked; absent for what it tells by itself, which may have been long on its way.
   */
  shown(atMs: number, nowMs: number, askedMs?: number): void {
    const driftMs = Math.max(0, nowMs - this.#shownMs) * DRIFT
    this.#leastMs -= driftMs
    this.#mostMs += driftMs
    this.#shownMs = nowMs
    if (askedMs === undefined && this.isKnown) this.#told(nowMs - atMs)
    else this.#answered((askedMs ?? nowMs - MOST_ON_THE_WAY_MS) - atMs, nowMs - atMs)
  }

  /** News bound one side only: late ones say nothing, and early ones that the clocks drift apart. */
  #told(mostMs: number): void {
    if (mostMs >= this.#mostMs) return
    if (mostMs < this.#leastMs) this.#leastMs = mostMs - (this.#mostMs - this.#leastMs)
    this.#mostMs = mostMs
  }

  #answered(leastMs: number, mostMs: number): void {
    // The first time; or one of the clocks was set or stood still, or the store is another one.
    const isAnother = !this.isKnown || mostMs < this.#leastMs || leastMs > this.#mostMs
    this.#leastMs = isAnother ? leastMs : Math.max(leastMs, this.#leastMs)
    this.#mostMs = isAnother ? mostMs : Math.min(mostMs, this.#mostMs)
    this.isKnown = true
  }

  /** A time of the own clock by the store's: that, or later by what is not known. */
  toStore(ms: number): number {
    return Math.ceil(ms - this.#leastMs)
  }

  /** The same, or earlier. */
  toStoreEarly(ms: number): number {
    return Math.floor(ms - this.#mostMs)
  }

  /** A time of the store's by the own clock. */
  toOwn(ms: number): number {
    return ms + this.#mostMs
  }

  /** Now, by the store's clock. */
  now(nowMs: number): number {
    return nowMs - this.#mostMs
  }
}
