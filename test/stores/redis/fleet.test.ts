import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from './provider.ts'
import { type Network, startProxy } from './proxy.ts'
import { type RedisServer, redisBinary, startRedis } from './server.ts'
import type { Opening } from './worker-protocol.ts'
import { type Program, programOfWorkers, until, untilAll, type Worker } from './workers.ts'

const WORKERS = 8
const A = { id: 'a', provider: 'p' }
const B = { id: 'b', provider: 'q' }

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0)
const isBlocked = async (worker: Worker): Promise<boolean> => (await worker.pending()).some(({ blocking }) => blocking)

describe.runIf(redisBinary !== undefined).each(['ioredis', 'redis'] as const)('eight processes over %s', (client) => {
  let server: RedisServer
  let proxy: Network
  let provider: Provider
  let program: Program
  let workers: Worker[] = []
  let openings = 0
  let opening: Opening

  /** Gives every worker a health of its own over a place that nobody has used. */
  async function open(options: Opening['options'] = {}, candidates: Opening['candidates'] = [A]): Promise<void> {
    openings += 1
    opening = { client, url: proxy.url, prefix: `fleet-${openings}`, candidates, options }
    await all((worker) => worker.tell({ does: 'open', opening }))
  }
  const all = <T>(does: (worker: Worker) => Promise<T>): Promise<T[]> => Promise.all(workers.map(does))
  const run = (worker: Worker, count: number): Promise<unknown> =>
    worker.tell({ does: 'run', count, provider: provider.url })
  const outcomes = async (): Promise<readonly string[]> =>
    (await all((worker) => worker.tell({ does: 'outcomes' }))).flat() as string[]
  const noted = async (name: 'auth_prompt' | 'recovered' | 'store_fault' | 'store_healed'): Promise<number> =>
    sum((await all((worker) => worker.noted(name))).map((events) => events.length))

  beforeAll(async () => {
    server = await startRedis()
    proxy = await startProxy(server.port)
    provider = await startProvider()
    program = await programOfWorkers()
    workers = Array.from({ length: WORKERS }, (_, place) => program.start(String(place)))
  })

  afterEach(async () => {
    for (const faults of await all((worker) => worker.tell({ does: 'faults' }))) {
      expect(faults).toEqual({ unhandled: [], trespasses: 0 })
    }
  })

  afterAll(async () => {
    await all((worker) => worker.kill())
    await Promise.all([provider.close(), proxy.close(), program.remove()])
    await server.stop()
  })

  test('1,000 calls on a revoked key: one prompt, and after one resolve all complete', async () => {
    await open()
    provider.says(() => ({ class: 'auth_required' }))
    await all((worker) => run(worker, 125))
    await untilAll(workers, isBlocked)
    await until(async () => sum((await all((worker) => worker.pending())).map((p) => p[0]?.waiting ?? 0)) === 1_000)
    expect(await noted('auth_prompt')).toBe(1)
    provider.says(() => ({}))
    await all((worker) => run(worker, 5))
    await until(async () => sum((await all((worker) => worker.pending())).map((p) => p[0]?.waiting ?? 0)) === 1_040)
    expect(provider.arrivals).toEqual([])
    const startMs = performance.now()
    await (workers[3] as Worker).tell({ does: 'resolve', name: 'p' })
    const ended = await outcomes()
    expect(ended).toHaveLength(1_040)
    expect(new Set(ended)).toEqual(new Set(['completed']))
    expect(provider.arrivals).toHaveLength(1_040)
    const lastMs = Math.max(...provider.arrivals.map(({ atMs }) => atMs)) - startMs
    console.info(`${client}: the last of 1,040 calls went on ${Math.round(lastMs)} ms after the resolution`)
    expect(await noted('auth_prompt')).toBe(1)
  })

  test('no worker comes before the floor, one probe goes first, and recovered is told once', async () => {
    await open()
    provider.says((_candidate, number) =>
      number === 1 ? { class: 'transient', retry_after_secs: 2 } : { afterMs: 200 },
    )
    await run(workers[0] as Worker, 1)
    await untilAll(workers, async (worker) => (await worker.snapshot()).cooling.length === 1)
    const floorMs = (provider.arrivals[0]?.answeredMs ?? 0) + 2_000
    await all((worker) => run(worker, 25))
    const ended = await outcomes()
    expect(new Set(ended)).toEqual(new Set(['completed']))
    const [, probe, ...rest] = provider.arrivals
    expect(probe?.atMs).toBeGreaterThanOrEqual(floorMs)
    expect(rest).toHaveLength(WORKERS * 25)
    for (const { atMs } of rest) expect(atMs).toBeGreaterThanOrEqual(probe?.answeredMs ?? Number.POSITIVE_INFINITY)
    expect(await noted('recovered')).toBe(1)
  })

  test('a prompt outlives the process that raised it, and a process that starts later joins the pause', async () => {
    await open()
    provider.says(() => ({ class: 'auth_required' }))
    const raiser = program.start('raiser')
    await raiser.tell({ does: 'open', opening })
    await run(raiser, 3)
    await untilAll([raiser, ...workers], isBlocked)
    await raiser.kill()
    const late = program.start('late')
    await late.tell({ does: 'open', opening })
    expect(await late.pending()).toMatchObject([{ provider: 'p', blocking: true }])
    provider.says(() => ({}))
    await run(late, 3)
    await until(async () => (await late.pending())[0]?.waiting === 3)
    expect(provider.arrivals).toEqual([])
    await (workers[5] as Worker).tell({ does: 'resolve', name: 'p' })
    expect(await late.tell({ does: 'outcomes' })).toEqual(['completed', 'completed', 'completed'])
    expect(await noted('auth_prompt')).toBe(0)
    expect(await late.tell({ does: 'faults' })).toEqual({ unhandled: [], trespasses: 0 })
    await late.kill()
  })

  test('Redis is killed and comes back empty: every call settles, one fault each, and the workers fill it again', async () => {
    await open({ maxPauseMs: 60_000 }, [A, B])
    provider.says((candidate) => (candidate === 'a' ? { class: 'transient', retry_after_secs: 600 } : {}))
    await run(workers[0] as Worker, 1)
    await untilAll(workers, async (worker) => (await worker.snapshot()).cooling.length === 1)
    await server.kill()
    await untilAll(workers, async (worker) => (await worker.noted('store_fault')).length === 1)
    provider.says((candidate) => (candidate === 'a' ? {} : { class: 'auth_required' }))
    await all((worker) => run(worker, 10))
    await untilAll(workers, isBlocked)
    // What happened meanwhile is known to each by itself; no prompt is lost.
    expect(await noted('auth_prompt')).toBe(WORKERS)
    expect(provider.arrivals.filter(({ candidate }) => candidate === 'a')).toEqual([])
    await server.restart()
    await untilAll(workers, async (worker) => (await worker.noted('store_healed')).length === 1)
    const late = program.start('late')
    await late.tell({ does: 'open', opening })
    await until(async () => (await late.snapshot()).cooling.length === 1 && (await isBlocked(late)))
    provider.says(() => ({}))
    await late.tell({ does: 'resolve', name: 'q' })
    expect(new Set(await outcomes())).toEqual(new Set(['completed']))
    expect(await noted('store_fault')).toBe(WORKERS)
    await late.kill()
  })

  test('a network that is cut, then mended: calls go on, and what was missed is known', async () => {
    await open({}, [A, B])
    proxy.cut()
    await untilAll(workers, async (worker) => (await worker.noted('store_fault')).length === 1)
    provider.says((candidate) => (candidate === 'a' ? { class: 'transient', retry_after_secs: 600 } : {}))
    await run(workers[0] as Worker, 10)
    expect(await (workers[0] as Worker).tell({ does: 'outcomes' })).toEqual(Array(10).fill('completed'))
    expect((await (workers[1] as Worker).snapshot()).cooling).toEqual([])
    proxy.mend()
    await untilAll(workers, async (worker) => (await worker.snapshot()).cooling.length === 1)
    await untilAll(workers, async (worker) => (await worker.noted('store_healed')).length === 1)
    provider.says(() => ({}))
    await all((worker) => run(worker, 10))
    expect(new Set(await outcomes())).toEqual(new Set(['completed']))
    expect(provider.arrivals.filter(({ candidate }) => candidate === 'a')).toEqual([])
  })

  test('a network that swallows everything: calls go on, and it is one fault', async () => {
    await open({}, [A, B])
    proxy.stall()
    provider.says((candidate) => (candidate === 'a' ? { class: 'transient', retry_after_secs: 600 } : {}))
    await all((worker) => run(worker, 10))
    expect(new Set(await outcomes())).toEqual(new Set(['completed']))
    await untilAll(workers, async (worker) => (await worker.noted('store_fault')).length === 1)
    proxy.mend()
    await untilAll(workers, async (worker) => (await worker.noted('store_healed')).length === 1)
    expect(await noted('store_fault')).toBe(WORKERS)
  })

  test('a Redis that is full: one fault, and it is told what it could not take once there is room', async () => {
    await open({}, [A, B])
    const admin = new Redis(server.port)
    try {
      await admin.config('SET', 'maxmemory', '1')
      provider.says((candidate) => (candidate === 'a' ? { class: 'transient', retry_after_secs: 600 } : {}))
      await run(workers[0] as Worker, 10)
      expect(await (workers[0] as Worker).tell({ does: 'outcomes' })).toEqual(Array(10).fill('completed'))
      await until(async () => (await noted('store_fault')) === 1)
      expect(await (workers[0] as Worker).noted('store_fault')).toMatchObject([{ fault: 'rejected' }])
      await admin.config('SET', 'maxmemory', '0')
      await untilAll(workers, async (worker) => (await worker.snapshot()).cooling.length === 1)
      await until(async () => (await noted('store_healed')) === 1)
      expect(await noted('store_fault')).toBe(1)
    } finally {
      await admin.config('SET', 'maxmemory', '0')
      admin.disconnect()
    }
  })

  test('a slow Redis slows no call, and tells all the same', async () => {
    await open({}, [A, B])
    proxy.delayMs = 400
    try {
      provider.says((candidate) => (candidate === 'a' ? { class: 'auth_required' } : {}))
      await run(workers[0] as Worker, 1)
      await untilAll(workers, isBlocked)
      expect(await noted('auth_prompt')).toBe(1)
      provider.says(() => ({}))
      await (workers[7] as Worker).tell({ does: 'resolve', name: 'p' })
      await untilAll(workers, async (worker) => !(await isBlocked(worker)))
      await all((worker) => run(worker, 10))
      expect(new Set(await outcomes())).toEqual(new Set(['completed']))
      expect(await noted('store_fault')).toBe(0)
    } finally {
      proxy.delayMs = 0
    }
  })
})
