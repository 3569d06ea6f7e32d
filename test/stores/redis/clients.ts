import type { HealthStore } from 'heed'
import { redisStore } from 'heed/stores/redis'
import { Redis } from 'ioredis'
import { createClient } from 'redis'

/** A client of either package with its store, and how to end it. */
export interface Connected {
  readonly store: HealthStore
  readonly end: () => Promise<void>
}

/** Connects a client of each package that is supported. */
export const packages: Readonly<Record<string, (url: string, prefix: string) => Promise<Connected>>> = {
  ioredis: async (url, prefix) => {
    const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: 1 })
    client.on('error', () => undefined)
    return { store: redisStore({ client, prefix }), end: async () => client.disconnect() }
  },
  redis: async (url, prefix) => {
    const client = createClient({ url, socket: { reconnectStrategy: () => 50 } })
    client.on('error', () => undefined)
    await client.connect()
    return { store: redisStore({ client, prefix }), end: async () => client.destroy() }
  },
}
