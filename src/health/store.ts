import type { Share } from '../core/share.ts'
import type { Mirror } from './mirror.ts'

/**
 * Marks of one thing as they travel between processes: plain JSON, all times by the store's clock, in whole
 * milliseconds. No two processes' clocks need agree.
 */
export interface StoreEntry extends Share {
  /**
   * What is marked: a candidate's hints (`h:…`), breaker (`b:…`) or the lease of its probe (`l:…`), or a provider
   * (`p:…`). Ids of the user's, no text.
   */
  readonly group: string
}

/** What a store tells. */
export interface StoreNews {
  /** What the store's clock showed, in milliseconds above 0: by it a message that was long on its way is known. */
  readonly atMs: number
  readonly entries: readonly StoreEntry[]
}

/** What a store says to changes. */
export interface StoreAnswer {
  /** As in {@link StoreNews}. */
  readonly atMs: number
  /** For each change whether it put the first mark that has not passed into its group: its writer acts for all. */
  readonly firsts: readonly boolean[]
}

/** Told by a store what it holds. */
export interface StoreListener {
  /** The store can be reached, and changes are told from now on. What was changed before is then read. */
  connected(): void
  /** Groups that some process has changed, as they are now. Own changes may be among them. */
  changed(news: StoreNews): void
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
   * Joins entries into what it holds, all or none, by the rule of `joined` of `heed/stores/mirrored`, and tells every
   * listener of every process what it has come to. Rejects where the store did not take them. A group may be forgotten
   * {@link LINGER_MS} after its `lastMs`, and not before.
   */
  publish(entries: readonly StoreEntry[]): PromiseLike<StoreAnswer>
  /** All that it holds. Rejects where it cannot be reached. */
  read(): PromiseLike<StoreNews>
}

/**
 * Where processes share what their producers told them. Nobody ever waits for it to decide: it is told, and tells.
 * `mirrored()` of `heed/stores/mirrored` makes one of a transport of your own.
 */
export interface HealthStore extends StoreTransport {
  /** What keeps here what the store tells. It comes with the store, so that a guard without one does not load it. */
  readonly Mirror: typeof Mirror
}
