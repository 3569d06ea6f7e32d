import { createHealth } from 'heed'
import { fakeClock, producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, fleet, type Member } from './fleet.ts'

const later = (retryAfterSecs: number): { error: Error } => ({ error: producedError('transient', { retryAfterSecs }) })
const refused = { error: producedError('auth_required') }
const once = { perTarget: 1 }

const cooling = ({ guard }: Member): readonly unknown[] => guard.health.snapshot().cooling

describe('a revival', () => {
  test('whose answer is lost takes back nothing that others were told since', async () => {
    let lost = false
    const { clock, join } = fleet(
      { candidates: [A, B], attempts: once },
      { travel: (arrive, what) => !(lost && what === 'answer') && arrive() },
    )
    const [one, other] = [join(), join()]
    const { call } = scriptedProducer({ a: [later(60), later(3_600)], b: [{ value: 'b' }] }, { clock })
    await clock.run(one.guard.execute(call))
    lost = true
    one.guard.health.revive('a')
    // By then both changes have arrived, and are to be made again.
    await clock.advance(3_000)
    lost = false
    await clock.run(other.guard.execute(call))
    await clock.advance(60_000)
    for (const member of [one, other, join()]) {
      await member.guard.health.ready()
      // Later by what the clocks may have parted by in the 3 s in which the store was not heard.
      expect(cooling(member)).toMatchObject([{ candidate: 'a', remainingMs: 3_540_002 }])
    }
  })

  test('that arrives late takes back nothing that others were told since', async () => {
    const { clock, join, store } = fleet({ candidates: [A, B], attempts: once })
    const [one, other, third] = [join(), join(), join()]
    const { call } = scriptedProducer({ a: [later(60), later(3_600)], b: [{ value: 'b' }] }, { clock })
    await clock.run(one.guard.execute(call))
    const { publish } = store
    store.publish = () => Promise.reject(new Error('full'))
    one.guard.health.revive('a')
    await clock.advance(0)
    store.publish = publish
    // Only the change of the first is late: the others have been heard by then.
    other.guard.health.revive('a')
    await clock.advance(100)
    await clock.run(other.guard.execute(call))
    await clock.advance(60_000)
    for (const member of [one, other, third, join()]) {
      await member.guard.health.ready()
      expect(cooling(member)).toMatchObject([{ candidate: 'a', remainingMs: 3_540_000 }])
    }
  })

  test('takes back, whenever it arrives, what was told before it', async () => {
    const { clock, join, store } = fleet({ candidates: [A, B], attempts: once })
    const [one, other] = [join(), join()]
    const { call } = scriptedProducer({ a: [later(3_600)], b: [{ value: 'b' }] }, { clock })
    await clock.run(other.guard.execute(call))
    await clock.advance(5)
    store.disconnect()
    one.guard.health.revive('a')
    await clock.advance(20_000)
    store.reconnect()
    await clock.advance(1_000)
    for (const member of [one, other]) expect(cooling(member)).toEqual([])
  })
})

describe('an answer', () => {
  test('is no news to a process that starts after it, blocked again or not', async () => {
    const { clock, join } = fleet()
    const one = join()
    const { call } = scriptedProducer({ a: [refused, { value: 'served' }, refused] }, { clock })
    const waiting = one.guard.execute(call)
    await clock.advance(0)
    one.guard.auth.resolve('p')
    expect(await clock.run(waiting)).toBe('served')
    const late = join()
    await late.guard.health.ready()
    void one.guard.settle(call)
    await clock.advance(0)
    const later = join()
    await later.guard.health.ready()
    for (const { guard } of [late, later]) {
      expect(guard.auth.pending()).toMatchObject([{ generation: 1, blocking: true }])
    }
    expect([...late.of('auth_resolved'), ...later.of('auth_resolved')]).toEqual([])
  })

  test('that another refusal has overtaken wakes nobody who missed it', async () => {
    let lost = false
    const { clock, join } = fleet({}, { travel: (arrive, what) => !(lost && what === 'news') && arrive() })
    const [one, other] = [join(), join()]
    const { call, invocations } = scriptedProducer(
      { a: [refused, { value: 'served' }, refused, { value: 'again' }] },
      { clock },
    )
    const first = one.guard.execute(call)
    await clock.advance(0)
    const paused = other.guard.execute(call)
    lost = true
    one.guard.auth.resolve('p')
    expect(await clock.run(first)).toBe('served')
    const second = one.guard.execute(call)
    await clock.advance(60_000)
    expect(other.guard.auth.pending()).toMatchObject([{ generation: 1, blocking: true, waiting: 1 }])
    expect(other.of('auth_resolved')).toEqual([])
    expect(invocations).toHaveLength(3)
    lost = false
    one.guard.auth.resolve('p')
    expect(await clock.run(Promise.all([second, paused]))).toEqual(['again', 'again'])
    expect(other.of('auth_resolved')).toMatchObject([{ generation: 2, outcome: 'resolved' }])
  })

  test('no is none either', async () => {
    const { clock, join } = fleet()
    const one = join()
    const { call } = scriptedProducer({ a: [refused] }, { clock })
    const waiting = one.guard.settle(call)
    await clock.advance(0)
    one.guard.auth.decline('p')
    await clock.run(waiting)
    const late = join()
    await late.guard.health.ready()
    expect(late.guard.health.snapshot().providers).toMatchObject([{ provider: 'p', declined: true }])
    expect(late.of('auth_resolved')).toEqual([])
  })

  test('is known for as long as it may matter, and then forgotten by all, the store too', async () => {
    const day = 86_400_000
    const { clock, join, store } = fleet()
    const one = join()
    const { call } = scriptedProducer({ a: [refused, { value: 'served' }] }, { clock })
    const waiting = one.guard.execute(call)
    await clock.advance(0)
    one.guard.auth.resolve('p')
    await clock.run(waiting)
    const members = [one]
    // Processes come and go; none of them hands an old answer on for ever.
    for (let days = 0; days < 75; days += 15) {
      await clock.advance(day * 15)
      await members.at(-1)?.guard.health.close()
      members.push(join())
      await members.at(-1)?.guard.health.ready()
      if (days === 0) expect(members.at(-1)?.guard.health.snapshot().providers).toMatchObject([{ generation: 1 }])
    }
    expect(store.entries()).toEqual([])
    expect(members.at(-1)?.guard.health.snapshot().providers).toEqual([])
  })
})

test('a store that cannot even be connected to leaves no timer behind', async () => {
  const clock = fakeClock()
  const { store } = fleet()
  const broken = {
    ...store,
    connect: (): never => {
      throw new Error('no such host')
    },
  }
  expect(() => createHealth({ store: broken, clock })).toThrow('no such host')
  expect(clock.pendingTimers).toBe(0)
})
