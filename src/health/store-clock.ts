/**
 * The store's clock as this process reckons it. It lies between what it showed when an answer was made and the times
 * here before and after; each message narrows that down. Times go to the store by one bound and come back by the
 * other, so that no mark ends early, and a message that was long on its way is late and not longer.
 */
export class StoreClock {
  /** Whether the store has ever shown its time. Until then it is taken for the own. */
  isKnown = false
  /** The own clock less the store's: at least, and at most. */
  #leastMs = 0
  #mostMs = 0

  /**
   * Takes in what the store's clock showed.
   *
   * @param askedMs - When it was asked; absent for what it tells by itself.
   */
  shown(atMs: number, nowMs: number, askedMs?: number): void {
    const mostMs = nowMs - atMs
    const leastMs = askedMs === undefined ? Number.NEGATIVE_INFINITY : askedMs - atMs
    if (!this.isKnown || mostMs < this.#leastMs || leastMs > this.#mostMs) {
      // The first time; or one of the clocks was set or stood still, or the store is another one.
      this.#mostMs = mostMs
      this.#leastMs = askedMs === undefined ? mostMs : leastMs
    } else {
      this.#mostMs = Math.min(mostMs, this.#mostMs)
      this.#leastMs = Math.max(leastMs, this.#leastMs)
    }
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
