import { NO_SHARE } from 'heed/stores/mirrored'
import { consecutive } from 'heed/strategies/breaker/consecutive'
import { type FakeClock, producedError } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, fleet, type Member } from './fleet.ts'

const TWO_KEYS = { ...A, credentials: ['k1', 'k2'] }
const transient = (secs?: number): Error =>
  producedError('transient', secs === undefined ? {} : { retryAfterSecs: secs })

async function fail(clock: FakeClock, { guard }: Member, secs?: number): Promise<void> {
  await clock.run(guard.settle(() => Promise.reject(transient(secs))))
  await clock.advance(10)
}

const cooling = ({ guard }: Member): unknown => guard.health.snapshot().cooling

describe('a breaker that another process has closed', () => {
  test.each(['a success', 'a revival'])('is counted anew, after %s', async (how) => {
    const { clock, join } = fleet({
      breaker: consecutive({ threshold: 3, coolMs: 1_000 }),
      attempts: { perTarget: 1 },
      budget: false,
    })
    const [one, other] = [join(), join()]
    for (const _ of [1, 2, 3]) await fail(clock, one)
    expect(cooling(other)).toMatchObject([{ breaker: 'open' }])
    await clock.advance(2_000)
    if (how === 'a success') await clock.run(other.guard.execute(() => 1))
    else other.guard.health.revive('a')
    await clock.advance(100_000)
    await fail(clock, one)
    expect(cooling(one)).toEqual([])
    expect(cooling(other)).toEqual([])
  })

  test('goes by its own time for a lease, though its probe was told to wait for an hour', async () => {
    const { clock, join } = fleet({
      breaker: consecutive({ threshold: 1, coolMs: 1_000 }),
      attempts: { perTarget: 1 },
      budget: false,
      maxWaitMs: Number.POSITIVE_INFINITY,
    })
    const [one, other] = [join(), join()]
    await fail(clock, one)
    await clock.advance(1_500)
    await fail(clock, one, 3_600)
    await clock.advance(3_600_000)
    // It probes, and is never heard of again.
    void one.guard.execute(() => new Promise(() => undefined))
    await clock.advance(50)
    const startMs = clock.now()
    expect(await clock.run(other.guard.execute(() => clock.now() - startMs))).toBeLessThanOrEqual(1_000)
  })
})

describe('a credential that has served', () => {
  test('leaves the one probe of another, which was told to wait by itself', async () => {
    const { clock, join } = fleet({ candidates: [TWO_KEYS], attempts: { perTarget: 1 }, maxWaitMs: 1 })
    const members = [join(), join(), join(), join(), join()]
    const [one] = members as [Member]
    const told: Readonly<Record<string, number>> = { k1: 10, k2: 3 }
    await clock.run(one.guard.settle(({ credential }) => Promise.reject(transient(told[String(credential)]))))
    await clock.advance(3_100)
    expect(await clock.run(one.guard.execute(({ credential }) => credential))).toBe('k2')
    await clock.advance(7_000)
    const asked: unknown[] = []
    const calls = members.map(({ guard }) =>
      guard.settle(({ credential }) => {
        asked.push(credential)
        return new Promise((served) => clock.setTimeout(() => served(1), 500))
      }),
    )
    await clock.advance(100)
    expect(asked.filter((credential) => credential === 'k1')).toHaveLength(1)
    await clock.run(Promise.all(calls))
    const recovered = members.flatMap(({ of }) => of('recovered')).filter(({ credential }) => credential === 'k1')
    expect(recovered).toHaveLength(1)
  })
})

describe('a credential whose sibling has served', () => {
  test('is free once its own hint has passed', async () => {
    const { clock, join } = fleet({ candidates: [TWO_KEYS], attempts: { perTarget: 1 }, maxWaitMs: 1 })
    const [one, other] = [join(), join()]
    await clock.run(one.guard.settle(() => Promise.reject(transient(10))))
    await clock.advance(10_100)
    expect(await clock.run(one.guard.execute(({ credential }) => credential))).toBe('k1')
    await clock.advance(10)
    for (const member of [one, other]) expect(cooling(member)).toMatchObject([{ credential: 'k2', remainingMs: 0 }])
    const ask = ({ credential }: { readonly credential: string }) =>
      credential === 'k1' ? Promise.reject(transient(60)) : credential
    expect(await clock.run(other.guard.execute(ask as never))).toBe('k2')
  })
})

describe('what is over', () => {
  test('leaves nothing in a snapshot', async () => {
    const { clock, join, store } = fleet()
    const one = join()
    await clock.advance(10)
    const { atMs } = await store.read()
    const marks = { 'k:': { setMs: atMs, untilMs: atMs + 1_000 } }
    await store.publish([{ ...NO_SHARE, group: 'p:p', marks }])
    expect(one.guard.health.snapshot().providers).toMatchObject([{ provider: 'p' }])
    await clock.advance(1_000_000)
    expect(one.guard.health.snapshot().providers).toEqual([])
  })

  test("is not a human's no, for years", async () => {
    const { clock, join, store } = fleet({ maxPauseMs: 0 })
    const one = join()
    await clock.run(one.guard.settle(() => Promise.reject(producedError('auth_required'))))
    one.guard.auth.decline('p')
    await clock.advance(10)
    const { untilMs = 0, setMs = 0 } = store.entries().find(({ group }) => group === 'p:p')?.marks['declined'] ?? {}
    expect(untilMs - setMs).toBe(100_000_000_000)
  })
})

describe('a process', () => {
  test('that closes twice has closed both times once all is told', async () => {
    const { clock, join } = fleet({ attempts: { perTarget: 1 } }, { travel: (arrive) => clock.setTimeout(arrive, 100) })
    const one = join()
    await clock.advance(1_000)
    await clock.run(one.guard.settle(() => Promise.reject(transient(60))))
    const closed: number[] = []
    const startMs = clock.now()
    for (const _ of [1, 2]) void one.guard.health.close().then(() => closed.push(clock.now() - startMs))
    await clock.advance(1_000)
    expect(closed[0]).toBeGreaterThan(0)
    expect(closed[1]).toBe(closed[0])
  })
})
