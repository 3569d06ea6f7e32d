import type { Clock } from '../core/clock.ts'
import { isFirst, isOver, joined, NO_SHARE, type Share } from '../core/share.ts'
import { mirrored } from '../health/mirrored.ts'
import type { HealthStore, StoreEntry, StoreListener, StoreNews } from '../health/store.ts'

/** What {@link memoryStore} takes. */
export interface MemoryStoreOptions {
  /** What the store keeps time by. @defaultValue the process's monotonic clock */
  readonly clock?: Pick<Clock, 'now'> | undefined
  /**
   * The network: calls `arrive` when a message gets there, at once, later, or never.
   *
   * @defaultValue at once.
   */
  readonly travel?: ((arrive: () => void, what: 'write' | 'answer' | 'news') => void) | undefined
}

/** A store in this process: for tests, and for guards of one process that are to behave like those of several. */
export interface MemoryStore extends HealthStore {
  /** Everybody is cut off: publishing rejects, and changes are missed. */
  disconnect(): void
  /** Ends {@link disconnect}: everybody is told all. */
  reconnect(): void
  /** Forgets everything, as a failover to an empty server does. Combine with `disconnect` and `reconnect`. */
  clear(): void
  /** What is kept now. */
  entries(): readonly StoreEntry[]
}

/** A store's clock shows times above 0, whatever the given one does. */
const EPOCH_MS = 1e12

/**
 * Makes a store that keeps everything in memory. Hand the same one to several `createHealth({ store })`.
 *
 * @example
 * const store = memoryStore()
 * const one = heed({ candidates, health: createHealth({ store }) })
 * const other = heed({ candidates, health: createHealth({ store }) })
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const clock = options.clock ?? performance
  const now = (): number => clock.now() + EPOCH_MS
  const travel = options.travel ?? ((arrive) => arrive())
  const kept = new Map<string, Share>()
  const listeners = new Set<StoreListener>()
  let isConnected = true

  const entryOf = (group: string): StoreEntry => ({ ...(kept.get(group) ?? NO_SHARE), group })
  const forget = (): void => {
    for (const [group, share] of kept) if (isOver(share, now())) kept.delete(group)
  }
  const entries = (): readonly StoreEntry[] => {
    forget()
    return [...kept.keys()].map(entryOf)
  }
  const newsOf = (all: readonly StoreEntry[]): StoreNews => ({ atMs: now(), entries: all })
  const take = ({ group, ...told }: StoreEntry): boolean => {
    const before = kept.get(group) ?? NO_SHARE
    const after = joined(before, told)
    kept.set(group, after)
    return isFirst(before, after, now())
  }
  const tell = (listener: StoreListener, news: StoreNews): void => {
    const sent = copied(news)
    travel(() => {
      if (listeners.has(listener) && isConnected) listener.changed(sent)
    }, 'news')
  }
  /** There and back: what is done there may fail, and so may the network, which then says nothing. */
  const asked = <T>(answer: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      travel(() => {
        if (!isConnected) return reject(new Error('memoryStore: disconnected'))
        const said = copied(answer())
        travel(() => resolve(said), 'answer')
      }, 'write')
    })

  return mirrored<Omit<MemoryStore, 'Mirror'>>({
    entries,
    connect: (listener) => {
      listeners.add(listener)
      if (isConnected) listener.connected()
      else listener.lost()
      return () => {
        listeners.delete(listener)
      }
    },
    publish: (changes) => {
      const sent = copied(changes)
      return asked(() => {
        forget()
        const firsts = sent.map(take)
        const news = newsOf([...new Set(sent.map(({ group }) => group))].map(entryOf))
        for (const listener of listeners) tell(listener, news)
        return { atMs: now(), firsts }
      })
    },
    read: () => asked(() => newsOf(entries())),
    disconnect: () => {
      isConnected = false
      for (const listener of listeners) listener.lost()
    },
    reconnect: () => {
      isConnected = true
      for (const listener of listeners) listener.connected()
    },
    clear: () => kept.clear(),
  })
}

/** What travels is plain JSON: whatever does not survive that is found here, not in production. */
function copied<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
