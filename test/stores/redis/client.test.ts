import { once } from 'node:events'
import { createHealth, type Health, heed } from 'heed'
import { redisStore } from 'heed/stores/redis'
import { producedError } from 'heed/testing'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort, type RedisServer, redisBinary, startRedis } from './server.ts'
import { until } from './workers.ts'

/** Far below the half minute after which all is read again. */
const SOON = { timeout: 10_000 }

interface Heard {
  readonly health: Health
  readonly faults: readonly string[]
  readonly healings: readonly unknown[]
}

describe.runIf(redisBinary !== undefined)('the client of a store', SOON, () => {
  let server: RedisServer
  let admin: Redis
  const ends: (() => unknown)[] = []

  beforeAll(async () => {
    server = await startRedis()
    admin = new Redis(server.port)
    await once(admin, 'ready')
  })

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
    await until(async () => (await connections()) === 0)
  })

  afterAll(async () => {
    admin.disconnect()
    await server.stop()
  })

  /** All but the one that asks. */
  const connections = async (): Promise<number> =>
    String(await admin.client('LIST'))
      .trim()
      .split('\n').length - 1

  /** Connects at once, or when it is told. */
  const ofIoredis = (options: { lazyConnect?: boolean; port?: number } = {}): Redis => {
    const client = new Redis({ port: server.port, retryStrategy: () => 20, ...options })
    client.on('error', () => undefined)
    ends.push(() => client.disconnect())
    return client
  }
  const ofRedis = () => {
    const client = createClient({ url: server.url, socket: { reconnectStrategy: () => 20 } })
    client.on('error', () => undefined)
    ends.push(() => client.isOpen && client.destroy())
    return client
  }
  const over = (client: Redis | ReturnType<typeof ofRedis>, prefix: string): Heard => {
    const health = createHealth({ store: redisStore({ client, prefix }) })
    const faults: string[] = []
    const healings: unknown[] = []
    health.on('store_fault', ({ fault }) => void faults.push(fault))
    health.on('store_healed', (event) => void healings.push(event))
    ends.push(() => health.close())
    return { health, faults, healings }
  }
  /** A call that is told to wait, of a candidate that has an alternative. */
  const told = async (health: Health): Promise<void> => {
    const guard = heed({ candidates: ['a', 'b'].map((id) => ({ id, provider: id })), health })
    const later = producedError('transient', { retryAfterSecs: 60 })
    await guard.execute(({ candidate }) => (candidate.id === 'a' ? Promise.reject(later) : 'b'))
  }
  const knows = async ({ health }: Heard): Promise<boolean> => health.snapshot().cooling.length === 1

  test('one that has ended is known to be out of reach at once, and nothing is opened beside it', async () => {
    const client = ofIoredis()
    await once(client, 'ready')
    client.disconnect()
    await once(client, 'end')
    const { health, faults } = over(client, 'ended')
    await health.ready()
    expect(faults).toEqual(['lost'])
    expect(await connections()).toBe(0)
  })

  test('one of redis that is not connected yet is out of reach, until it is connected', async () => {
    const client = ofRedis()
    const one = over(client, 'unconnected')
    await one.health.ready()
    expect(one.faults).toEqual(['lost'])
    expect(await connections()).toBe(0)
    await client.connect()
    await until(async () => one.healings.length === 1)
    await told(one.health)
    const other = over(ofIoredis(), 'unconnected')
    await until(() => knows(other))
  })

  test('what a call is told while the client connects for the first time is no fault, and is shared', async () => {
    for (const [place, client] of [ofIoredis(), ofIoredis({ lazyConnect: true }), ofRedis()].entries()) {
      if (!(client instanceof Redis)) void client.connect()
      const one = over(client, `fresh-${place}`)
      await told(one.health)
      const other = over(ofIoredis(), `fresh-${place}`)
      await until(() => knows(other))
      await one.health.ready()
      expect([...one.faults, ...other.faults]).toEqual([])
    }
  })

  test('one whose server is not there is out of reach with its first attempt, and fails what waits for it', async () => {
    const one = over(ofIoredis({ port: await freePort() }), 'nobody')
    await told(one.health)
    await one.health.ready()
    await until(async () => one.faults.length === 1)
  })

  test.each([1, 3])('ended and connected again %i times by the user, it shares again', async (times) => {
    const client = ofIoredis()
    const one = over(client, `again-${times}`)
    await one.health.ready()
    for (let time = 1; time <= times; time += 1) {
      client.disconnect()
      await once(client, 'end')
      await until(async () => (await connections()) === 0)
      await client.connect()
      await until(async () => one.healings.length === time)
      expect(await connections()).toBe(2)
    }
    expect(one.faults).toHaveLength(times)
    const other = over(ofIoredis(), `again-${times}`)
    await told(other.health)
    await until(() => knows(one))
  })

  test('one of redis, too', async () => {
    const client = ofRedis()
    await client.connect()
    const one = over(client, 'again')
    await one.health.ready()
    client.destroy()
    await until(async () => (await connections()) === 0)
    await client.connect()
    await until(async () => one.healings.length === 1)
    const other = over(ofIoredis(), 'again')
    await told(other.health)
    await until(() => knows(one))
  })

  test('it is listened to once, however many healths there are, and not at all after the last', async () => {
    const client = ofIoredis()
    await once(client, 'ready')
    const count = (): number[] => ['ready', 'close', 'reconnecting', 'end'].map((event) => client.listenerCount(event))
    const before = count()
    const healths = Array.from({ length: 12 }, () => over(client, 'many').health)
    await Promise.all(healths.map((health) => health.ready()))
    expect(count()).toEqual(before.map((one) => one + 1))
    await Promise.all(healths.map((health) => health.close()))
    expect(count()).toEqual(before)
  })

  test('a health reads once when it starts', async () => {
    for (const client of [ofIoredis(), ofRedis()]) {
      if (!(client instanceof Redis)) await client.connect()
      await admin.config('RESETSTAT')
      await over(client, 'reads').health.ready()
      expect(/cmdstat_eval:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1]).toBe('1')
    }
  })
})
