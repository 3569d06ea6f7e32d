import { mustBeKnown } from '../core/must-be-known.ts'
import { mirrored } from '../health/mirrored.ts'
import type { HealthStore, StoreAnswer, StoreEntry, StoreNews } from '../health/store.ts'
import { driverOf, type RedisClient } from './redis/client.ts'
import { READ, WRITE } from './redis/scripts.ts'

export type { RedisClient } from './redis/client.ts'

/** What {@link redisStore} takes. */
export interface RedisStoreOptions {
  /**
   * A client of `ioredis` (5.3 and later, `Cluster` too) or a connected one of `redis` (5 and later, `createCluster`
   * too). It stays yours: you handle its errors and you close it. Beside it one connection more is opened, to listen.
   */
  readonly client: RedisClient
  /**
   * What keys and channel begin with; healths with the same one share. Two keys are used, `{prefix}:marks` and
   * `{prefix}:ends`, with one hash tag for a cluster's sake, and the channel `{prefix}:news`.
   *
   * @defaultValue `'heed'`
   */
  readonly prefix?: string | undefined
}

/**
 * A store in Redis (6.2 and later) or Valkey, alone, replicated or a cluster. Each change is one script, so it is made
 * as a whole; times are the server's, and everything kept has an end. A server whose clock is set, or that fails over to
 * one with another time, moves all marks by as much: NTP keeps that small. Ids of candidates, providers and credentials are kept,
 * and no text of anybody's.
 *
 * @example
 * const health = createHealth({ store: redisStore({ client: new Redis(url) }) })
 * @throws TypeError where the client is of neither package, the prefix is none, or an option is not known.
 */
export function redisStore(options: RedisStoreOptions): HealthStore {
  // A misspelt prefix would have processes share what they must not.
  mustBeKnown(options, ['client', 'prefix'], 'redisStore')
  const { client, prefix = 'heed' } = options
  const driver = driverOf(client)
  if (typeof prefix !== 'string' || prefix === '' || /[{}]/.test(prefix)) {
    throw new TypeError('redisStore: prefix: give a name without braces: they are put around it')
  }
  const [marks, ends, news] = [`{${prefix}}:marks`, `{${prefix}}:ends`, `{${prefix}}:news`]
  return mirrored({
    connect: (listener) => {
      let isOpen = true
      const tell = (what: () => void): void => {
        if (isOpen) what()
      }
      const close = driver.listen(news, {
        connected: () => tell(() => listener.connected()),
        lost: () => tell(() => listener.lost()),
        message: (text) => {
          const news = parsed(text)
          // Whoever else publishes on the channel says nothing.
          if (news !== undefined) tell(() => listener.changed(news as StoreNews))
        },
      })
      return () => {
        // The connection may still have a message on hand when it closes.
        isOpen = false
        close()
      }
    },
    publish: async (entries) => {
      const answer = await driver.run(WRITE, [marks, ends], [news, JSON.stringify(entries)])
      return JSON.parse(String(answer)) as StoreAnswer
    },
    read: async () => {
      const [atMs, entries] = (await driver.run(READ, [marks], [])) as readonly [string, readonly string[]]
      // A field that somebody else has put there is no entry.
      return { atMs: Number(atMs), entries: entries.map(parsed) as readonly StoreEntry[] }
    },
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
