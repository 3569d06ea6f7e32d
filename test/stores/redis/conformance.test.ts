import { storeConformance } from 'heed/testing'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type Connected, packages } from './clients.ts'
import { type RedisServer, redisBinary, startRedis } from './server.ts'

describe.runIf(redisBinary !== undefined).each(Object.entries(packages))(
  'the store in Redis, over %s',
  (_name, open) => {
    let server: RedisServer
    const connected: Connected[] = []

    beforeAll(async () => {
      server = await startRedis()
    })

    afterAll(async () => {
      for (const { end } of connected) await end()
      await server.stop()
    })

    for (const { name, run } of storeConformance(async () => {
      const one = await open(server.url, 'conformance')
      connected.push(one)
      return one.store
    })) {
      test(name, run)
    }
  },
)
