import { listen, type Told } from './listen.ts'
import { connectionOf } from './packages.ts'
import { watchOf } from './watch.ts'

/**
 * A client as the user hands it in: `Redis` or `Cluster` of `ioredis` (5.3 and later), or what `createClient` or
 * `createCluster` of `redis` (5 and later) makes, connected. Only these methods are used.
 */
export interface RedisClient {
  eval(...args: never[]): PromiseLike<unknown>
  duplicate(...args: never[]): unknown
  on(...args: never[]): unknown
  off(...args: never[]): unknown
}

/** One way to talk to clients of either package. */
export interface Driver {
  /**
   * Runs a script, once a client that connects for the first time has done so. What is on its way when the connection
   * breaks the client may send again later: a script must bear to be run twice, and late.
   *
   * @throws (rejects) where the client has lost its connection: it would keep the command until it is back, and who
   * asked will have asked again by then.
   */
  run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>
  /**
   * Listens on a connection of its own, for as long as the client is open.
   *
   * @returns How to stop.
   */
  listen(channel: string, told: Told): () => void
}

/**
 * The driver of a client.
 *
 * @throws TypeError where it is of neither package.
 */
export function driverOf(client: RedisClient): Driver {
  const { eval: run, duplicate } = (client ?? {}) as Partial<RedisClient>
  if (typeof run !== 'function' || typeof duplicate !== 'function') {
    throw new TypeError('redisStore: client: give a client of ioredis, or a connected one of redis')
  }
  const connection = connectionOf(client)
  const watch = watchOf(connection)
  return {
    run: async (script, keys, args) => {
      if (connection.state() === 'connecting') await watch.connected()
      if (connection.state() !== 'ready') throw new Error('redisStore: the client is not connected')
      return connection.run(script, keys, args)
    },
    listen: (channel, told) => listen(connection, watch, channel, told),
  }
}
