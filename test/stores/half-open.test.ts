import { createHealth, heed } from 'heed'
import { consecutive } from 'heed/strategies/breaker/consecutive'
import { fakeClock, producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, fleet, type Member } from './fleet.ts'

const later = (retryAfterSecs: number): { error: Error } => ({ error: producedError('transient', { retryAfterSecs }) })
const once = { perTarget: 1 }

/** One process that has been told to wait, whose wait is over, and whose store says nothing any more. */
async function fallenSilent(candidates: readonly (typeof A)[], answers: Parameters<typeof scriptedProducer>[0]) {
  let silent = false
  const { clock, join } = fleet({ candidates, attempts: once }, { travel: (arrive) => !silent && arrive() })
  const one = join()
  const { call, invocations } = scriptedProducer(answers, { clock })
  await clock.run(one.guard.settle(call))
  await clock.advance(60_000)
  silent = true
  return { clock, one, call, invocations }
}

describe('after cooling', () => {
  test('one probe of all processes goes first, the others use their fallback; recovered is raised once', async () => {
    const { clock, join } = fleet({ candidates: [A, B], attempts: once })
    const members = Array.from({ length: 5 }, () => join())
    const { call, invocations } = scriptedProducer(
      { a: [later(60), { value: 'a', afterMs: 1_000 }], b: [{ value: 'b' }] },
      { clock },
    )
    await clock.run((members[0] as (typeof members)[0]).guard.execute(call))
    await clock.advance(60_000)
    const calls = members.flatMap(({ guard }) => Array.from({ length: 10 }, () => guard.execute(call)))
    const values = await clock.run(Promise.all(calls))
    expect(values.filter((value) => value === 'a')).toHaveLength(1)
    expect(invocations.filter(({ candidate }) => candidate === 'a')).toHaveLength(2)
    expect(members.flatMap(({ of }) => of('recovered'))).toMatchObject([{ candidate: 'a', by: 'success' }])
    for (const { guard } of members) expect(guard.health.snapshot().cooling).toEqual([])
    expect(await clock.run((members[3] as (typeof members)[0]).guard.execute(call))).toBe('a')
  })

  test('without a fallback the others wait for the probe, and go on spread over a second once it has served', async () => {
    const { clock, join } = fleet({ candidates: [A], attempts: { perTarget: 3 } })
    const members = [join(), join(), join()]
    const { call, invocations } = scriptedProducer({ a: [later(10), { value: 'a', afterMs: 500 }] }, { clock })
    const first = (members[0] as (typeof members)[0]).guard.execute(call)
    await clock.advance(1)
    const rest = members.flatMap(({ guard }) => Array.from({ length: 20 }, () => guard.execute(call)))
    await clock.run(Promise.all([first, ...rest]))
    const startMs = invocations[0]?.at ?? 0
    const after = invocations.slice(1).map(({ at }) => at - startMs)
    expect(after[0]).toBe(10_000)
    expect(after.filter((ms) => ms < 10_500)).toHaveLength(1)
    expect(Math.max(...after)).toBeLessThanOrEqual(11_500)
    // No instant sees more than one call of each process.
    const busiest = Math.max(...after.map((ms) => after.filter((other) => other === ms).length))
    expect(busiest).toBeLessThanOrEqual(members.length)
  })

  test.each([0, 2, 20, 100])('a probe comes soon, with messages that take 0 to %i ms', async (mostMs) => {
    for (let seed = 1; seed <= 20; seed += 1) {
      let turn = seed * 7_919
      const { clock, join } = fleet(
        { candidates: [A, B], attempts: once },
        {
          travel: (arrive) => {
            turn = (turn * 48_271) % 2_147_483_647
            clock.setTimeout(arrive, (turn / 2_147_483_647) * mostMs)
          },
        },
      )
      const members = Array.from({ length: 4 }, () => join())
      const { call, invocations } = scriptedProducer(
        { a: [later(10), { value: 'a', afterMs: 5 }], b: [{ value: 'b' }] },
        { clock },
      )
      await clock.advance(1_000)
      await clock.run((members[seed % 4] as (typeof members)[0]).guard.execute(call))
      const floorMs = (invocations[0]?.at ?? 0) + 10_000
      while (clock.now() < floorMs + 1_000) {
        for (const { guard } of members) void guard.execute(call)
        await clock.advance(50)
      }
      const probes = invocations.filter(({ candidate, at }) => candidate === 'a' && at >= floorMs)
      // The clocks leave open twice the longest way, and a store that does not answer is waited for a second.
      expect((probes[0]?.at ?? Number.POSITIVE_INFINITY) - floorMs).toBeLessThanOrEqual(50 + 1_000 + 3 * mostMs)
      for (const { guard } of members) await guard.health.close()
    }
  })

  test('one credential that cools keeps no other away', async () => {
    const { clock, join } = fleet({ candidates: [{ ...A, credentials: ['k1', 'k2'] }], attempts: once })
    const one = join()
    const used: string[] = []
    const call = ({ credential }: { credential: string | undefined }): string => {
      used.push(credential ?? '')
      if (used.length > 2) return 'served'
      throw producedError('transient', { retryAfterSecs: credential === 'k1' ? 3_600 : 10 })
    }
    await clock.run(one.guard.settle(call))
    await clock.run(one.guard.settle(call, { timeoutMs: 5_000 }))
    await clock.advance(20_000)
    expect(await clock.run(one.guard.execute(call))).toBe('served')
    expect(used).toEqual(['k1', 'k2', 'k2'])
  })

  test('a prober that dies does not keep the others away for ever', async () => {
    const { clock, join } = fleet({ candidates: [A, B], attempts: once })
    const [one, other] = [join(), join()]
    const { call } = scriptedProducer({ a: [later(60)], b: [{ value: 'b' }] }, { clock })
    await clock.run(one.guard.execute(call))
    await clock.advance(60_000)
    void one.guard.execute(() => new Promise(() => undefined))
    await clock.advance(0)
    const served = scriptedProducer({ a: [{ value: 'a' }], b: [{ value: 'b' }] }, { clock })
    expect(await clock.run(other.guard.execute(served.call))).toBe('b')
    await clock.advance(5_000)
    expect(await clock.run(other.guard.execute(served.call))).toBe('a')
  })

  test('a probe that is told to wait longer cools it for all again', async () => {
    const { clock, join } = fleet({ candidates: [A, B], attempts: once })
    const [one, other] = [join(), join()]
    const { call, invocations } = scriptedProducer({ a: [later(60), later(120)], b: [{ value: 'b' }] }, { clock })
    await clock.run(one.guard.execute(call))
    await clock.advance(60_000)
    await clock.run(Promise.all([one.guard.execute(call), other.guard.execute(call)]))
    expect(invocations.filter(({ candidate }) => candidate === 'a')).toHaveLength(2)
    expect(other.guard.health.snapshot().cooling).toMatchObject([{ remainingMs: 120_000 }])
    expect([...one.of('recovered'), ...other.of('recovered')]).toEqual([])
  })

  test('with the store out of reach each process probes for itself, and none waits for it', async () => {
    const { clock, join, store } = fleet({ candidates: [A, B], attempts: once })
    const [one, other] = [join(), join()]
    const { call, invocations } = scriptedProducer({ a: [later(60), { value: 'a' }], b: [{ value: 'b' }] }, { clock })
    await clock.run(one.guard.execute(call))
    await clock.advance(60_000)
    store.disconnect()
    const startMs = clock.now()
    expect(await clock.run(Promise.all([one.guard.execute(call), other.guard.execute(call)]))).toEqual(['a', 'a'])
    expect(clock.now() - startMs).toBeLessThanOrEqual(250)
    expect(invocations.filter(({ candidate }) => candidate === 'a')).toHaveLength(3)
  })

  test('a store that never answers holds a probe for a second, or until it is aborted', async () => {
    const { clock, one, call } = await fallenSilent([A, B], { a: [later(60), { value: 'a' }], b: [{ value: 'b' }] })
    const startMs = clock.now()
    expect(await clock.run(one.guard.execute(call))).toBe('a')
    expect(clock.now() - startMs).toBe(1_000)
  })

  test('an abort ends the asking at once', async () => {
    const { clock, one, call, invocations } = await fallenSilent([A], { a: [later(60)] })
    const aborter = new AbortController()
    const asking = one.guard.settle(call, { abortSignal: aborter.signal })
    await clock.advance(100)
    aborter.abort('enough')
    expect(await asking).toMatchObject({ status: 'cancelled', error: 'enough', attempts: [] })
    expect(invocations).toHaveLength(1)
  })

  test('a deadline that comes while it asks ends the call before its attempt', async () => {
    const { clock, one, call, invocations } = await fallenSilent([A], { a: [later(60)] })
    const startMs = clock.now()
    const outcome = await clock.run(one.guard.settle(call, { timeoutMs: 100 }))
    expect(outcome).toMatchObject({ status: 'failed', error: { reason: 'deadline' }, attempts: [] })
    expect(clock.now() - startMs).toBe(100)
    expect(invocations).toHaveLength(1)
  })
})

describe('a probe that says nothing of its target', () => {
  const ends: Readonly<Record<string, (guard: Member['guard']) => Promise<unknown>>> = {
    'by an abort of its caller': async (guard) => {
      const aborter = new AbortController()
      const probing = guard.settle(() => new Promise(() => undefined), { abortSignal: aborter.signal })
      await new Promise((told) => setImmediate(told))
      aborter.abort()
      return probing
    },
    'with what nobody knows': (guard) => guard.settle(() => Promise.reject(new Error('no class'))),
  }
  const options = { attempts: once, budget: false as const, maxWaitMs: Number.POSITIVE_INFINITY }

  test.each(Object.keys(ends))('lets another go at once where it ends %s', async (how) => {
    const { clock, join } = fleet({ ...options, breaker: consecutive({ threshold: 1, coolMs: 60_000 }) })
    const [one, other] = [join(), join()]
    await clock.run(one.guard.settle(() => Promise.reject(producedError('transient'))))
    await clock.advance(60_000)
    await clock.run(ends[how]?.(one.guard) as Promise<unknown>)
    const startMs = clock.now()
    expect(await clock.run(other.guard.execute(() => clock.now() - startMs))).toBe(0)
    expect([...one.of('recovered'), ...other.of('recovered')]).toHaveLength(1)
  })

  test.each(Object.keys(ends))('lets another go at once in one process too, where it ends %s', async (how) => {
    const clock = fakeClock()
    const breaker = consecutive({ threshold: 1, coolMs: 60_000 })
    const guard = heed({ candidates: [A], ...options, breaker, clock })
    await clock.run(guard.settle(() => Promise.reject(producedError('transient'))))
    await clock.advance(60_000)
    await clock.run(ends[how]?.(guard) as Promise<unknown>)
    expect(await clock.run(guard.execute(() => clock.now()))).toBe(60_000)
  })

  test('ends no lease but its own: a breaker that opened since stays open', async () => {
    const clock = fakeClock()
    const breaker = consecutive({ threshold: 1, coolMs: 30_000 })
    const guard = heed({ candidates: [A], ...options, maxWaitMs: 0, breaker, clock })
    const fails = () => guard.settle(() => Promise.reject(producedError('transient')))
    await clock.run(fails())
    await clock.advance(30_000)
    const aborter = new AbortController()
    const hanging = guard.settle(() => new Promise(() => undefined), { abortSignal: aborter.signal })
    await clock.advance(30_000)
    await clock.run(fails())
    await clock.advance(1_000)
    aborter.abort()
    await hanging
    expect(guard.health.snapshot().cooling).toMatchObject([{ breaker: 'open', remainingMs: 29_000 }])
  })

  test('ends no lease of another process', async () => {
    const { clock, join } = fleet({
      ...options,
      candidates: [A, B],
      breaker: consecutive({ threshold: 1, coolMs: 30_000 }),
    })
    const [one, other, third] = [join(), join(), join()]
    await clock.run(one.guard.settle(() => Promise.reject(producedError('transient'))))
    await clock.advance(30_000)
    let probes = 0
    const hang = ({ candidate }: { readonly candidate: { readonly id: string } }): unknown => {
      if (candidate.id === 'b') return 'b'
      probes += 1
      return new Promise(() => undefined)
    }
    const aborter = new AbortController()
    const hanging = one.guard.settle(hang, { abortSignal: aborter.signal })
    await clock.advance(30_100)
    void other.guard.settle(hang)
    await clock.advance(1_000)
    aborter.abort()
    await hanging
    await clock.advance(10)
    expect(await clock.run(third.guard.execute(hang))).toBe('b')
    expect(probes).toBe(2)
  })

  test('wakes those who wait for it', async () => {
    const { clock, join } = fleet({ ...options, breaker: consecutive({ threshold: 1, coolMs: 30_000 }) })
    const { guard } = join()
    await clock.run(guard.settle(() => Promise.reject(producedError('transient'))))
    await clock.advance(30_000)
    const aborter = new AbortController()
    const hanging = guard.settle(() => new Promise(() => undefined), { abortSignal: aborter.signal })
    await clock.advance(10)
    const waiting = guard.execute(() => clock.now())
    await clock.advance(100)
    aborter.abort()
    await hanging
    const startMs = clock.now()
    expect((await clock.run(waiting)) - startMs).toBeLessThan(1_000)
  })

  test('leaves no lease where its call was aborted while it asked for one', async () => {
    const made = fleet(
      { ...options, candidates: [A, B], breaker: consecutive({ threshold: 1, coolMs: 30_000 }) },
      { travel: (arrive) => void made.clock.setTimeout(arrive, 20) },
    )
    const { clock, join } = made
    const [one, other] = [join(), join()]
    await clock.advance(1_000)
    await clock.run(one.guard.settle(() => Promise.reject(producedError('transient'))))
    await clock.advance(31_000)
    const aborter = new AbortController()
    let attempts = 0
    const asking = one.guard.settle(() => (attempts += 1), { abortSignal: aborter.signal })
    await clock.advance(5)
    aborter.abort()
    await asking
    await clock.advance(1_000)
    expect(attempts).toBe(0)
    expect(await clock.run(other.guard.execute(({ candidate }) => candidate.id))).toBe('a')
  })

  test.each([false, true])('ends no lease of another while it is cut off, where it is aborted: %s', async (aborts) => {
    const chain = { ...options, candidates: [A, B], breaker: consecutive({ threshold: 1, coolMs: 30_000 }) }
    const { clock, join, store } = fleet(chain)
    const [other, third] = [join(), join()]
    let isCut = false
    const cut = () => new Promise<never>((_, fails) => void clock.setTimeout(() => fails(new Error('cut')), 50))
    const mine: typeof store = {
      ...store,
      publish: (entries) => (isCut ? cut() : store.publish(entries)),
      read: () => (isCut ? cut() : store.read()),
      connect: (listener) => store.connect({ ...listener, changed: (news) => isCut || listener.changed(news) }),
    }
    const one = heed({ ...chain, clock, health: createHealth({ clock, store: mine }) })
    await clock.advance(1_000)
    await clock.run(other.guard.settle(() => Promise.reject(producedError('transient'))))
    await clock.advance(31_000)
    let probes = 0
    const hang = ({ candidate }: { readonly candidate: { readonly id: string } }): unknown => {
      if (candidate.id === 'b') return 'b'
      probes += 1
      return new Promise(() => undefined)
    }
    isCut = true
    void other.guard.settle(hang)
    await clock.advance(100)
    const aborter = new AbortController()
    if (aborts) {
      const asking = one.settle(hang, { abortSignal: aborter.signal })
      await clock.advance(10)
      aborter.abort()
      await asking
    }
    await clock.advance(200)
    isCut = false
    await clock.advance(1_000)
    expect(await clock.run(third.guard.execute(hang))).toBe('b')
    expect(probes).toBe(1)
  })
})
