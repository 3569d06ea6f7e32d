import type { Mirror } from './mirror.ts'

/** Marks of one thing as they travel between processes: plain JSON, and durations, for no two clocks agree. */
export interface StoreEntry {
  /** What is marked: a candidate's hints (`h:…`) or breaker (`b:…`), or a provider (`p:…`). Ids of the user's, no text. */
  readonly group: string
  /** A higher generation replaces all marks of a lower one. */
  readonly generation: number
  /** Milliseconds left by name of the mark; 0 or less has passed, so long ago. */
  readonly marks: Readonly<Record<string, number>>
  /** Who set each mark to what it is, where that is known. */
  readonly by?: Readonly<Record<string, string>>
}

/** One change that a process asks the store for. */
export interface StoreWrite {
  readonly group: string
  /** The generation that the marks were seen in: of an older one than the store's they are dropped. `null`: the store's. */
  readonly generation: number | null
  /**
   * Starts a new generation first: one above the store's, and at least `generation`. The value names the renewal: a
   * writer that has not heard an answer writes it again, and what a group was renewed by lately it is not renewed by
   * twice. The last 8 names of each group are enough.
   */
  readonly renew?: string
  /** Milliseconds from now by name of the mark. The later of this and what is there holds. */
  readonly marks: Readonly<Record<string, number>>
  /** The group may be forgotten so many milliseconds after its last mark passed, or after now. Not before. */
  readonly keepMs: number
  /** Who writes. Told on with each mark that it sets. */
  readonly by: string
}

/** So many names of renewals a store keeps for each group. */
export const RENEWALS_KEPT = 8

/** Told by a store what it holds. */
export interface StoreListener {
  /** The store can be reached, and changes are told from now on. What was changed before is then read. */
  connected(): void
  /** Groups that some process has changed, as they are now. Own changes may be among them. */
  changed(entries: readonly StoreEntry[]): void
  /** Changes may be missed from now on, until `connected`. */
  lost(): void
}

/** What a store does. `storeConformance` of `heed/testing` holds the rules. */
export interface StoreTransport {
  /**
   * Starts telling a listener. Keeps trying by itself where it cannot reach the store.
   *
   * @returns How to stop: what it opened is closed, nothing is told any more.
   */
  connect(listener: StoreListener): () => void | PromiseLike<void>
  /**
   * Makes changes, all or none, and tells every listener of every process.
   *
   * @returns For each change whether it put the first mark that has not passed into its group: then its writer is the
   * one who acts for all. Rejects where the store did not take them.
   */
  publish(writes: readonly StoreWrite[]): PromiseLike<readonly boolean[]>
  /** All that it holds. Rejects where it cannot be reached. */
  read(): PromiseLike<readonly StoreEntry[]>
}

/**
 * Where processes share what their producers told them. Nobody ever waits for it to decide: it is told, and tells.
 * `mirrored()` of `heed/stores/mirrored` makes one of a transport of your own.
 */
export interface HealthStore extends StoreTransport {
  /** What keeps here what the store tells. It comes with the store, so that a guard without one does not load it. */
  readonly Mirror: typeof Mirror
}
