import type { StoreAnswer, StoreEntry, StoreNews, StoreTransport } from '../../health/store.ts'

/** A process that shares a store, as a conformance suite sees it. */
export interface Process {
  /** Resolves once the store has told all that it holds. */
  readonly synced: Promise<void>
  publish(...entries: readonly StoreEntry[]): Promise<StoreAnswer>
  /** What the store's clock shows. */
  now(): Promise<number>
  /** Whether it was ever told of a group. */
  heard(group: string): boolean
  /**
   * The group as it was last told, once it is as expected.
   *
   * @throws Error where the store does not tell that in time.
   */
  until(group: string, expected: (entry: StoreEntry) => boolean): Promise<StoreEntry>
  close(): Promise<void>
}

/** Longer than any message of a store that works. */
const MOST_MS = 10_000

/** Connects a process to its store. */
export function processOf(store: StoreTransport): Process {
  const known = new Map<string, StoreEntry>()
  const watching = new Set<() => void>()
  let told: () => void = () => undefined
  const synced = new Promise<void>((resolve) => {
    told = resolve
  })
  const hear = ({ entries }: StoreNews): void => {
    for (const entry of entries) known.set(entry.group, entry)
    for (const look of watching) look()
  }
  const close = store.connect({
    connected: () => {
      void store.read().then((news) => {
        hear(news)
        told()
      })
    },
    changed: hear,
    lost: () => undefined,
  })
  let isClosed = false
  return {
    synced,
    publish: async (...entries) => store.publish(entries),
    now: async () => (await store.read()).atMs,
    heard: (group) => known.has(group),
    until: (group, expected) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const entry = known.get(group)
          if (entry === undefined || !expected(entry)) return
          watching.delete(look)
          clearTimeout(timer)
          resolve(entry)
        }
        const timer = setTimeout(() => {
          watching.delete(look)
          reject(
            new Error(
              `the store has not told what was expected of ${group}; it told ${JSON.stringify(known.get(group))}`,
            ),
          )
        }, MOST_MS)
        watching.add(look)
        look()
      }),
    close: async () => {
      if (isClosed) return
      isClosed = true
      await close()
    },
  }
}
