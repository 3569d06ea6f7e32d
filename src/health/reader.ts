import type { Clock } from '../core/clock.ts'
import { Alarms } from './alarms.ts'
import { isNews } from './sound-entry.ts'
import type { StoreNews, StoreTransport } from './store.ts'

/** A store that has not told all it holds by then cannot be reached. */
const ANSWER_MS = 5_000
/** All is read again after so long: what a connection that died unnoticed has swallowed is not missed for longer. */
const AGAIN_MS = 30_000
/** After a failure it is read again after so long, and twice as long each time up to the usual. */
const RETRY_MS = 500

/** Told all that the store holds, and when it was asked; nothing where it could not be read. */
export type HaveRead = (all: StoreNews | undefined, askedMs: number) => void

/** Reads all that a store holds: when it is connected, and again and again, one at a time. */
export class Reader {
  readonly #store: StoreTransport
  readonly #clock: () => Clock
  readonly #alarms: Alarms
  readonly #haveRead: HaveRead
  #retryMs = RETRY_MS
  /** Counts readings: the answer to one that was given up says nothing. */
  #reading = 0
  #next: unknown

  constructor(store: StoreTransport, clock: () => Clock, haveRead: HaveRead) {
    this.#store = store
    this.#clock = clock
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
    const askedMs = this.#clock().now()
    const answered = (all: unknown): void => this.#answered(reading, isNews(all) ? all : undefined, askedMs)
    this.#alarms.cancel(this.#next)
    this.#next = this.#alarms.after(ANSWER_MS, () => answered(undefined))
    try {
      this.#store.read().then(answered, () => answered(undefined))
    } catch {
      answered(undefined)
    }
  }

  close(): void {
    this.#reading = -1
    this.#alarms.close()
  }

  #answered(reading: number, all: StoreNews | undefined, askedMs: number): void {
    if (reading !== this.#reading) return
    // A second answer to the same reading, a late one, is none.
    this.#reading += 1
    this.#alarms.cancel(this.#next)
    this.#again(all === undefined ? this.#retryMs : AGAIN_MS)
    this.#retryMs = all === undefined ? Math.min(2 * this.#retryMs, AGAIN_MS) : RETRY_MS
    this.#haveRead(all, askedMs)
  }

  #again(ms: number): void {
    this.#next = this.#alarms.after(ms, () => this.read())
  }
}
