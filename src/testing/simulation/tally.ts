import type { Seconds } from './simulation.ts'

/** Counts by second, growing with the time. */
export class Tally {
  #started = new Int32Array(64)
  #served = new Int32Array(64)
  #attempts = new Int32Array(64)
  #length = 0

  started(atMs: number): void {
    const second = this.#second(atMs)
    this.#started[second] = (this.#started[second] as number) + 1
  }

  /** @param startMs - When the call started that is served now. */
  served(startMs: number): void {
    const second = this.#second(startMs)
    this.#served[second] = (this.#served[second] as number) + 1
  }

  attempted(atMs: number): void {
    const second = this.#second(atMs)
    this.#attempts[second] = (this.#attempts[second] as number) + 1
  }

  seconds(): Seconds {
    const cut = (counts: Int32Array): Int32Array => counts.slice(0, this.#length)
    return { started: cut(this.#started), served: cut(this.#served), attempts: cut(this.#attempts) }
  }

  #second(atMs: number): number {
    const second = Math.floor(atMs / 1_000)
    if (second >= this.#length) {
      this.#length = second + 1
      if (second >= this.#started.length) {
        const length = Math.max(this.#length, this.#started.length * 2)
        this.#started = grown(this.#started, length)
        this.#served = grown(this.#served, length)
        this.#attempts = grown(this.#attempts, length)
      }
    }
    return second
  }
}

function grown(old: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length)
  larger.set(old)
  return larger
}
