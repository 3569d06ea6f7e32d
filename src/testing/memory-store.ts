import type { Clock } from '../core/clock.ts'
import { isFirst, joined, lastMs, NO_SHARE, type Share } from '../core/share.ts'
import { mirrored } from '../health/mirrored.ts'
import {
  type HealthStore,
  RENEWALS_KEPT,
  type StoreEntry,
  type StoreListener,
  type StoreWrite,
} from '../health/store.ts'

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

interface Kept {
  readonly share: Share
  readonly by: Readonly<Record<string, string>>
  /** The renewals that were made, the last ones first. */
  readonly renewals: readonly string[]
  readonly forgetAtMs: number
}

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
  const travel = options.travel ?? ((arrive) => arrive())
  const kept = new Map<string, Kept>()
  const listeners = new Set<StoreListener>()
  let isConnected = true

  const entryOf = (group: string): StoreEntry => {
    const { share, by } = kept.get(group) ?? { share: NO_SHARE, by: {} }
    const nowMs = clock.now()
    const marks = Object.entries(share.untilMs).map(([name, until]) => [name, until - nowMs])
    return { group, generation: share.generation, marks: Object.fromEntries(marks), by }
  }
  const forget = (): void => {
    for (const [group, { forgetAtMs }] of kept) if (forgetAtMs <= clock.now()) kept.delete(group)
  }
  const entries = (): readonly StoreEntry[] => {
    forget()
    return [...kept.keys()].map(entryOf)
  }
  const take = ({ group, generation, renew, marks, keepMs, by }: StoreWrite): boolean => {
    const nowMs = clock.now()
    const held = kept.get(group)
    const before = held?.share ?? NO_SHARE
    const renewals = held?.renewals ?? []
    const isMade = renew === undefined || renewals.includes(renew)
    const untilMs = Object.fromEntries(Object.entries(marks).map(([name, ms]) => [name, nowMs + ms]))
    const share = joined(before, { generation, renew: !isMade, untilMs })
    const isSet = (name: string): boolean =>
      share.generation !== before.generation || share.untilMs[name] !== before.untilMs[name]
    kept.set(group, {
      share,
      by: Object.fromEntries(
        Object.keys(share.untilMs).map((name) => [name, isSet(name) ? by : (held?.by[name] ?? by)]),
      ),
      renewals: isMade ? renewals : [renew, ...renewals].slice(0, RENEWALS_KEPT),
      forgetAtMs: Math.max(held?.forgetAtMs ?? 0, nowMs + keepMs, lastMs(share) + keepMs),
    })
    return isFirst(before, share, nowMs)
  }
  const tell = (listener: StoreListener, news: readonly StoreEntry[]): void => {
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
    publish: (writes) => {
      const sent = copied(writes)
      return asked(() => {
        forget()
        const firsts = sent.map(take)
        const news = [...new Set(sent.map(({ group }) => group))].map(entryOf)
        for (const listener of listeners) tell(listener, news)
        return firsts
      })
    },
    read: () => asked(entries),
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
