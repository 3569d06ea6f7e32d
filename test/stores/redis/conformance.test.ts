import fc from 'fast-check'
import { createHealth, type Health, heed } from 'heed'
import { isFirst, joined, LINGER_MS, NO_SHARE, type Share, type SharedMark } from 'heed/stores/mirrored'
import { producedError, storeConformance } from 'heed/testing'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fewShares } from '../any-share.ts'
import { alone, type Connected, clustered, ioredis } from './clients.ts'
import { type RedisCluster, startCluster } from './cluster.ts'
import { type RedisServer, redisBinary, startRedis } from './server.ts'
import { until } from './workers.ts'

describe.runIf(redisBinary !== undefined)('the store in Redis', () => {
  let server: RedisServer
  let cluster: RedisCluster
  const connected: Connected[] = []

  beforeAll(async () => {
    server = await startRedis()
    cluster = await startCluster()
  })

  afterAll(async () => {
    for (const { end } of connected) await end()
    await Promise.all([server.stop(), cluster.stop()])
  })

  for (const [kind, opens] of Object.entries({ alone, clustered })) {
    for (const [name, open] of Object.entries(opens)) {
      describe(`over ${name}`, () => {
        const cases = storeConformance(async () => {
          // A client of a cluster begins at a node that does not have what it looks for.
          const [first = server] = kind === 'alone' ? [] : await cluster.ownerLast('{conformance}')
          const one = await open(first, 'conformance')
          connected.push(one)
          return one.store
        })
        for (const { name: rule, run } of cases) test(rule, run)
      })
    }
  }

  test.each(Object.entries(alone))('over %s, what listens ends when the user ends the client', async (_name, open) => {
    const own = await startRedis()
    const admin = new Redis(own.port)
    const connections = async (): Promise<number> =>
      String(await admin.client('LIST'))
        .trim()
        .split('\n').length
    const { store, end } = await open(own, 'ended')
    let isLost: () => void = () => undefined
    const lost = new Promise<void>((resolve) => {
      isLost = resolve
    })
    await new Promise<void>((connected) => {
      store.connect({ connected, changed: () => undefined, lost: () => isLost() })
    })
    expect(await connections()).toBe(3)
    await end()
    await lost
    while ((await connections()) > 1) await new Promise((again) => setTimeout(again, 10))
    admin.disconnect()
    await own.stop()
  })

  test('every key has an end, and both share a slot', async () => {
    const { store, end } = await ioredis(server, 'ends')
    const { atMs } = await store.read()
    await store.publish([{ ...NO_SHARE, group: 'h:a', marks: { 'k:': { untilMs: atMs + 60_000, setMs: atMs } } }])
    const admin = new Redis(server.port)
    const keys = await admin.keys('*ends}*')
    expect(keys.toSorted()).toEqual(['{ends}:ends', '{ends}:marks'])
    for (const key of keys) {
      const ms = await admin.pttl(key)
      expect(ms).toBeGreaterThan(0)
      expect(ms).toBeLessThanOrEqual(60_001 + LINGER_MS)
    }
    admin.disconnect()
    await end()
  })

  test('the server joins as everybody does', async () => {
    const { store, end } = await ioredis(server, 'joins')
    const { atMs } = await store.read()
    let group = 0
    const by = (share: Share, startMs: number): Share => ({
      ...share,
      sinceMs: share.sinceMs && share.sinceMs + startMs,
      lastMs: share.lastMs && share.lastMs + startMs,
      marks: Object.fromEntries(
        Object.entries(share.marks).map(([name, mark]) => [
          name,
          { untilMs: mark.untilMs + startMs, setMs: mark.setMs + startMs },
        ]),
      ),
    })
    // Some marks have passed by then, others have not for long.
    const startMs = Math.floor(atMs) - 200
    const shift = ({ untilMs, setMs }: SharedMark): SharedMark => ({
      untilMs: untilMs > 150 ? untilMs + 1e6 : untilMs,
      setMs,
    })
    await fc.assert(
      fc.asyncProperty(fewShares, async (shares) => {
        group += 1
        let held = NO_SHARE
        for (const share of shares) {
          const marks = Object.fromEntries(Object.entries(share.marks).map(([name, mark]) => [name, shift(mark)]))
          const given = by({ ...share, lastMs: share.lastMs > 150 ? share.lastMs + 1e6 : share.lastMs, marks }, startMs)
          const next = joined(held, given)
          const { firsts } = await store.publish([{ ...given, group: `h:${group}` }])
          expect(firsts).toEqual([isFirst(held, next, startMs + 300)])
          held = next
        }
        const { entries } = await store.read()
        expect(entries.find((entry) => entry?.group === `h:${group}`)).toEqual({ ...held, group: `h:${group}` })
      }),
      { numRuns: 150, seed: 20261130 },
    )
    await end()
  })

  test('a name of half a character keeps nothing else from being shared', async () => {
    const [one, other] = await Promise.all([ioredis(server, 'half'), ioredis(server, 'half')])
    const [health, heard] = [one, other].map(({ store }) => createHealth({ store })) as [Health, Health]
    await Promise.all([health.ready(), heard.ready()])
    const faults: unknown[] = []
    health.on('store_fault', (event) => void faults.push(event))
    health.revive('half a \ud800')
    const guard = heed({ candidates: [{ id: 'a', provider: 'p' }], health, maxWaitMs: 0 })
    await guard.settle(() => Promise.reject(producedError('transient', { retryAfterSecs: 60 })))
    await until(async () => heard.snapshot().cooling.length === 1)
    expect(faults).toEqual([])
    await Promise.all([health.close(), heard.close()])
    await Promise.all([one.end(), other.end()])
  })

  test('a key that the server has dropped, and what others have put there, do no harm', async () => {
    const { store, end } = await ioredis(server, 'odd')
    const admin = new Redis(server.port)
    const { atMs } = await store.read()
    const marked = (group: string) => ({ ...NO_SHARE, group, marks: { 'k:': { untilMs: atMs + 60_000, setMs: atMs } } })
    await store.publish([marked('h:a')])
    const odd = [
      'not ours',
      '{"marks":{}}',
      '{"marks":{"k:":3}}',
      '{"generation":0,"sinceMs":0,"lastMs":0,"marks":{"k:":{}}}',
    ]
    for (const [place, text] of odd.entries()) await admin.hset('{odd}:marks', `h:odd-${place}`, text)
    await admin.del('{odd}:ends')
    expect((await store.read()).entries).toContainEqual(expect.objectContaining({ group: 'h:a' }))
    const groups = ['h:b', ...odd.map((_, place) => `h:odd-${place}`)]
    await store.publish(groups.map(marked))
    expect(await admin.zcard('{odd}:ends')).toBe(6)
    expect(await admin.pttl('{odd}:marks')).toBeGreaterThan(LINGER_MS)
    expect((await store.read()).entries.map((entry) => entry?.group).toSorted()).toEqual(['h:a', ...groups])
    admin.disconnect()
    await end()
  })
})
