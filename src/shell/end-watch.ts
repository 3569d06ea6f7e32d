import { askOfItem } from './ask-of-item.ts'
import type { Call } from './call.ts'

/**
 * Watches for the item that says that an answer is complete. The caller's own `isEnd` is always asked for one; a
 * producer's only where the stream had items of that producer, for the caller may hand on something made of them.
 */
export class EndWatch {
  readonly #call: Call
  readonly #asks: boolean
  #due: boolean
  #seen = false

  constructor(call: Call) {
    this.#call = call
    this.#due = call.options.isEnd !== undefined
    this.#asks = this.#due || call.producer?.isEnd !== undefined
  }

  /** Whether there is anything to look for. */
  get asks(): boolean {
    return this.#asks
  }

  /** Whether the end that must come has not come. */
  get missing(): boolean {
    return this.#due && !this.#seen
  }

  look(item: unknown): void {
    if (!this.#asks || this.#seen) return
    const ends = askOfItem(this.#call, 'isEnd', item)
    if (ends === undefined) return
    this.#due = true
    this.#seen = ends
  }
}
