import type { Clock } from '../core/clock.ts'
import { Alarms } from './alarms.ts'
import type { StoreEntry, StoreTransport } from './store.ts'

/** A store that has not told all it holds by then cannot be reached. */
const ANSWER_MS = 5_000
/** All is read again after so long: what a connection that died unnoticed has swallowed is not missed for longer. */
const AGAIN_MS = 30_000
/** After a failure it is read again after so long, and twice as long each time up to the usual. */
const RETRY_MS = 500

/** Told all that the store holds; nothing where it could not be read. */
export type HaveRead = (entries: readonly StoreEntry[] | undefined) => void

/** Reads all that a store holds: when it is connected, and again and again, one at a time. */
export class Reader {
  readonly #store: StoreTransport
  readonly #alarms: Alarms
  readonly #haveRead: HaveRead
  #retryMs = RETRY_MS
  /** Counts readings: the answer to one that was given up says nothing. */
  #reading = 0
  #next: unknown

  constructor(store: StoreTransport, clock: () => Clock, haveRead: HaveRead) {
    this.#store = store
    this.#alarms = new Alarms(clock)
    this.#haveRead = haveRead
  }

  /** From now on it reads again and again, whether or not a connection is ever there. */
  start(): void {
    if (this.#next === undefined) this.#again(AGAIN_MS)
  }

  /** Reads now. What was asked for before may be from before the connection was there. */
  read(): void {
    this.#reading += 1
    const reading = this.#reading
    this.#alarms.cancel(this.#next)
    this.#next = this.#alarms.after(ANSWER_MS, () => this.#answered(reading, undefined))
    try {
      this.#store.read().then(
        (entries) => this.#answered(reading, entries),
        () => this.#answered(reading, undefined),
      )
    } catch {
      this.#answered(reading, undefined)
    }
  }

  close(): void {
    this.#reading = -1
    this.#alarms.close()
  }

  #answered(reading: number, entries: readonly StoreEntry[] | undefined): void {
    if (reading !== this.#reading) return
    // A second answer to the same reading, a late one, is none.
    this.#reading += 1
    this.#alarms.cancel(this.#next)
    const failed = !Array.isArray(entries)
    this.#again(failed ? this.#retryMs : AGAIN_MS)
    this.#retryMs = failed ? Math.min(2 * this.#retryMs, AGAIN_MS) : RETRY_MS
    this.#haveRead(failed ? undefined : entries)
  }

  #again(ms: number): void {
    this.#next = this.#alarms.after(ms, () => this.read())
  }
}
