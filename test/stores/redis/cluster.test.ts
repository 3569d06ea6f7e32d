import { createHealth, type Health, heed } from 'heed'
import { producedError } from 'heed/testing'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clustered } from './clients.ts'
import { type RedisCluster, startCluster } from './cluster.ts'
import { type RedisServer, redisBinary } from './server.ts'
import { until } from './workers.ts'

const kinds = Object.entries(clustered)

describe.runIf(redisBinary !== undefined)('the store in a cluster of three nodes', () => {
  let cluster: RedisCluster
  const ends: (() => unknown)[] = []

  beforeAll(async () => {
    cluster = await startCluster()
  })

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  afterAll(() => cluster.stop())

  /** A process that begins at a node. */
  const join = async (open: (typeof clustered)[string], node: RedisServer, prefix: string): Promise<Health> => {
    const { store, end } = await open(node, prefix)
    const health = createHealth({ store })
    ends.push(end, () => health.close())
    await health.ready()
    return health
  }
  /** A call of a candidate that is told to wait. */
  const told = async (health: Health, id: string): Promise<void> => {
    const guard = heed({ candidates: [{ id, provider: 'p' }], health, maxWaitMs: 0 })
    await guard.settle(() => Promise.reject(producedError('transient', { retryAfterSecs: 60 })))
  }
  /** How often a node has sent a client on to another. */
  const redirections = async (): Promise<number> => {
    const counts = cluster.nodes.map(async ({ port }) => {
      const admin = new Redis(port)
      ends.push(() => admin.disconnect())
      return Number(/errorstat_MOVED:count=(\d+)/.exec(await admin.info('errorstats'))?.[1] ?? 0)
    })
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  }
  const knows = (health: Health, id: string): boolean =>
    health.snapshot().cooling.some(({ candidate }) => candidate === id)

  test.each(kinds)('%s: what is told by way of one node is heard at every node', async (name, open) => {
    const prefix = `news-${kinds.findIndex(([kind]) => kind === name)}`
    const heard = new Set<RedisServer>()
    for (const node of cluster.nodes) {
      const listener = new Redis(node.port)
      ends.push(() => listener.disconnect())
      listener.on('message', () => heard.add(node))
      await listener.subscribe(`{${prefix}}:news`)
    }
    const healths = await Promise.all(cluster.nodes.map((node) => join(open, node, prefix)))
    for (const [place, health] of healths.entries()) {
      heard.clear()
      await told(health, `told-${place}`)
      await until(async () => healths.every((one) => knows(one, `told-${place}`)) && heard.size === 3)
    }
  })

  test.each(kinds)('%s: a slot that has moved is followed, and nobody hears of a fault', async (name, open) => {
    const prefix = `moved-${kinds.findIndex(([kind]) => kind === name)}`
    const [first, second] = (await cluster.ownerLast(`{${prefix}}`)) as [RedisServer, RedisServer]
    const [one, other] = [await join(open, first, prefix), await join(open, second, prefix)]
    const faults: unknown[] = []
    for (const health of [one, other]) health.on('store_fault', (event) => void faults.push(event))
    const before = await redirections()
    await cluster.move(`{${prefix}}`)
    await told(one, 'a')
    await until(async () => knows(other, 'a'))
    await told(other, 'b')
    await until(async () => knows(one, 'b'))
    expect(await redirections()).toBeGreaterThan(before)
    expect(faults).toEqual([])
  })
})
