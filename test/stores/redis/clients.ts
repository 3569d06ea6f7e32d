import { once } from 'node:events'
import type { HealthStore } from 'heed'
import { redisStore } from 'heed/stores/redis'
import { Cluster, Redis } from 'ioredis'
import { createClient, createCluster } from 'redis'
import type { RedisServer } from './server.ts'

/** A client of either package with its store, and how to end it. */
export interface Connected {
  readonly store: HealthStore
  readonly end: () => Promise<void>
}

type Open = (server: RedisServer, prefix: string) => Promise<Connected>

/** Connects a client of `ioredis`. */
export async function ioredis({ url }: RedisServer, prefix: string): Promise<Connected> {
  const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: 1 })
  client.on('error', () => undefined)
  await once(client, 'ready')
  return { store: redisStore({ client, prefix }), end: async () => client.disconnect() }
}

/** Connects a client of each package that is supported. */
export const alone: Readonly<Record<string, Open>> = {
  ioredis,
  redis: async ({ url }, prefix) => {
    const client = createClient({ url, socket: { reconnectStrategy: () => 50 } })
    client.on('error', () => undefined)
    await client.connect()
    return { store: redisStore({ client, prefix }), end: async () => client.destroy() }
  },
}

/** The same for a cluster. */
export const clustered: Readonly<Record<string, Open>> = {
  'a Cluster of ioredis': async ({ port }, prefix) => {
    const client = new Cluster([{ host: '127.0.0.1', port }])
    client.on('error', () => undefined)
    return { store: redisStore({ client, prefix }), end: async () => client.disconnect() }
  },
  'createCluster of redis': async ({ url }, prefix) => {
    const client = createCluster({ rootNodes: [{ url }] })
    client.on('error', () => undefined)
    await client.connect()
    return { store: redisStore({ client, prefix }), end: async () => client.destroy() }
  },
}
