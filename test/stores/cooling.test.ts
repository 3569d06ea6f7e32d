import { consecutive } from 'heed/strategies/breaker/consecutive'
import { producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, fleet } from './fleet.ts'

const later = (retryAfterSecs: number): { error: Error } => ({ error: producedError('transient', { retryAfterSecs }) })
const once = { perTarget: 1 }

describe('what one process is told holds for all', () => {
  test.each([0, 300_000, -300_000])('a hint cools the target everywhere, with clocks %i ms apart', async (skewMs) => {
    const { clock, join } = fleet({ candidates: [A, B], attempts: once })
    const [one, other] = [join(), join({}, skewMs)]
    const { call, invocations } = scriptedProducer({ a: [later(60), { value: 'a' }], b: [{ value: 'b' }] }, { clock })
    expect(await clock.run(one.guard.execute(call))).toBe('b')
    expect(await clock.run(other.guard.execute(call))).toBe('b')
    expect(other.guard.health.snapshot().cooling).toMatchObject([{ candidate: 'a', remainingMs: 60_000 }])
    await clock.advance(60_000)
    expect(await clock.run(other.guard.execute(call))).toBe('a')
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['a', 'b', 'b', 'a'])
  })

  test('a process that joins later knows at once, and of each credential apart', async () => {
    const chain = [{ id: 'a', provider: 'p', credentials: ['k1', 'k2'] }, B]
    const { clock, join } = fleet({ candidates: chain, attempts: once })
    const { call } = scriptedProducer({ a: [later(60)], b: [{ value: 'b' }] }, { clock })
    await clock.run(join().guard.execute(call))
    const late = join()
    await late.guard.health.ready()
    expect(late.guard.health.snapshot().cooling).toMatchObject([
      { candidate: 'a', credential: 'k1', breaker: 'closed' },
      { candidate: 'a', credential: 'k2' },
    ])
  })

  test('the longer of two hints holds, whoever was told it', async () => {
    const { clock, join } = fleet({ candidates: [A, B], attempts: once })
    const [one, other] = [join(), join()]
    const slow = scriptedProducer({ a: [{ ...later(30), afterMs: 10 }], b: [{ value: 'b' }] }, { clock })
    const quick = scriptedProducer({ a: [later(60)], b: [{ value: 'b' }] }, { clock })
    await clock.run(Promise.all([one.guard.execute(slow.call), other.guard.execute(quick.call)]))
    for (const { guard } of [one, other]) {
      expect(guard.health.snapshot().cooling).toMatchObject([{ remainingMs: 59_990 }])
    }
  })

  test('nobody takes what another was told for an echo of its own, though it wrote last', async () => {
    let lost = false
    const { clock, join } = fleet(
      { candidates: [A, B], attempts: once },
      { travel: (arrive, what) => !(lost && what === 'news') && arrive() },
    )
    const [one, other] = [join(), join()]
    const long = scriptedProducer({ a: [later(600)], b: [{ value: 'b' }] }, { clock })
    const short = scriptedProducer({ a: [later(5)], b: [{ value: 'b' }] }, { clock })
    lost = true
    await clock.run(other.guard.execute(long.call))
    await clock.run(one.guard.execute(short.call))
    lost = false
    await clock.advance(60_000)
    expect(one.guard.health.snapshot().cooling).toMatchObject([{ remainingMs: 540_000 }])
  })

  test('a breaker that opens in one is open in all', async () => {
    const { clock, join } = fleet({
      candidates: [A, B],
      attempts: once,
      breaker: consecutive({ threshold: 1, coolMs: 10_000 }),
    })
    const [one, other] = [join(), join()]
    const { call, invocations } = scriptedProducer(
      { a: [{ error: producedError('transient') }], b: [{ value: 'b' }] },
      { clock },
    )
    await clock.run(one.guard.execute(call))
    expect(await clock.run(other.guard.execute(call))).toBe('b')
    expect(other.guard.health.snapshot().cooling).toMatchObject([{ breaker: 'open', remainingMs: 10_000 }])
    expect(invocations).toHaveLength(3)
  })

  test('revive anywhere lets it be tried everywhere, and no late message takes that back', async () => {
    const { clock, join, store } = fleet({ candidates: [A, B], attempts: once })
    const [one, other] = [join(), join()]
    const { call } = scriptedProducer({ a: [later(3_600), { value: 'a' }], b: [{ value: 'b' }] }, { clock })
    await clock.run(one.guard.execute(call))
    const before = store.entries()
    other.guard.health.revive('a')
    await clock.advance(0)
    expect(one.guard.health.snapshot().cooling).toEqual([])
    await store.publish(before)
    await clock.advance(0)
    expect(one.guard.health.snapshot().cooling).toEqual([])
    expect(await clock.run(one.guard.execute(call))).toBe('a')
    expect([...one.of('recovered'), ...other.of('recovered')]).toMatchObject([{ by: 'revive' }])
  })

  test('marks that have passed vanish by themselves, from the store and from every mirror', async () => {
    const { clock, join, store } = fleet({ candidates: [A, B], attempts: once })
    const [one, other] = [join(), join({ candidates: [B] })]
    const { call } = scriptedProducer({ a: [later(60)], b: [{ value: 'b' }] }, { clock })
    await clock.run(one.guard.execute(call))
    expect(other.guard.health.snapshot().cooling).toHaveLength(1)
    await clock.advance(700_000)
    expect(store.entries()).toEqual([])
    expect(other.guard.health.snapshot().cooling).toEqual([])
  })
})

describe('permanentFor', () => {
  test('is the call only by default', async () => {
    const { clock, join } = fleet({ candidates: [A, B] })
    const { call, invocations } = scriptedProducer(
      { a: [{ error: producedError('permanent') }], b: [{ value: 'b' }] },
      { clock },
    )
    const one = join()
    for (let n = 0; n < 2; n += 1) await clock.run(one.guard.execute(call))
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['a', 'b', 'a', 'b'])
    expect(one.guard.health.snapshot().dead).toEqual([])
  })

  test('keeps a refused candidate out of the calls of all processes for a time', async () => {
    const { clock, join } = fleet({ candidates: [A, B], permanentFor: 60_000 })
    const [one, other] = [join(), join()]
    const { call, invocations } = scriptedProducer(
      { a: [{ error: producedError('permanent') }, { value: 'a' }], b: [{ value: 'b' }] },
      { clock },
    )
    await clock.run(one.guard.execute(call))
    expect(await clock.run(other.guard.execute(call))).toBe('b')
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['a', 'b', 'b'])
    expect(other.guard.health.snapshot().dead).toEqual([{ candidate: 'a', remainingMs: 60_000 }])
    await clock.advance(60_000)
    expect(other.guard.health.snapshot().dead).toEqual([])
    expect(await clock.run(other.guard.execute(call))).toBe('a')
  })

  test('Infinity is until revived, and a chain that is all dead surfaces as permanent with no attempt', async () => {
    const { clock, join } = fleet({ candidates: [A], permanentFor: Number.POSITIVE_INFINITY })
    const [one, other] = [join(), join()]
    const { call, invocations } = scriptedProducer(
      { a: [{ error: producedError('permanent') }, { value: 'a' }] },
      { clock },
    )
    await clock.run(one.guard.settle(call))
    const outcome = await clock.run(other.guard.settle(call))
    expect(outcome).toMatchObject({
      status: 'failed',
      class: 'permanent',
      attempts: [],
      error: { reason: 'all_permanent' },
    })
    expect(other.of('chain_dead')).toHaveLength(1)
    expect(invocations).toHaveLength(1)
    expect(one.guard.health.snapshot().dead).toEqual([{ candidate: 'a' }])
    one.guard.health.revive('a')
    await clock.advance(0)
    expect(await clock.run(other.guard.execute(call))).toBe('a')
  })

  test('of a whole provider kills all of its candidates', async () => {
    const chain = [A, { id: 'a2', provider: 'p' }, B]
    const { clock, join } = fleet({
      candidates: chain,
      permanentFor: 60_000,
      producer: { classify: (raw) => ({ class: (raw as { class?: string }).class, scope: 'provider' }) },
    })
    const one = join()
    const { call } = scriptedProducer({ a: [{ error: producedError('permanent') }], b: [{ value: 'b' }] }, { clock })
    await clock.run(one.guard.execute(call))
    expect(one.guard.health.snapshot().dead.map(({ candidate }) => candidate)).toEqual(['a', 'a2'])
  })
})
