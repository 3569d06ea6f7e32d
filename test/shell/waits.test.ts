import { type FakeClock, fakeClock, producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, C, outcomeOf, scene } from './scene.ts'

const hinted = (retryAfterSecs: number) => ({ error: producedError('transient', { retryAfterSecs }) })
const transient = { error: producedError('transient') }

describe('long waits and early timers', () => {
  test.each([2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 5 * 2 ** 31])('a wait of %d ms is exact', async (waitMs) => {
    const clock = fakeClock()
    const delays: number[] = []
    const watched: FakeClock = {
      ...clock,
      setTimeout: (callback, delayMs) => {
        delays.push(delayMs)
        return clock.setTimeout(callback, delayMs)
      },
      get pendingTimers() {
        return clock.pendingTimers
      },
    }
    const told = scene({ candidates: [A], clock: watched, maxWaitMs: Number.POSITIVE_INFINITY })
    const { call, invocations } = scriptedProducer({ a: [hinted(waitMs / 1_000), { value: 'served' }] }, told)
    expect(await clock.run(told.guard.execute(call))).toBe('served')
    expect(invocations.map(({ at }) => at)).toEqual([0, waitMs])
    expect(Math.max(...delays)).toBeLessThanOrEqual(2 ** 31 - 1)
    expect(clock.pendingTimers).toBe(0)
  })

  test.each([0.1, 0.5, 0.9])(
    'a clock whose timers fire after %d of the delay never brings an attempt forward',
    async (part) => {
      const clock = fakeClock()
      const early: FakeClock = {
        ...clock,
        setTimeout: (callback, delayMs) => clock.setTimeout(callback, Math.max(1, Math.floor(delayMs * part))),
        get pendingTimers() {
          return clock.pendingTimers
        },
      }
      const told = scene({ candidates: [A], clock: early })
      const { call, invocations } = scriptedProducer({ a: [hinted(30), { value: 'served' }] }, told)
      const work = told.guard.execute(call)
      // Time moves on between the early timers, as it does between real ones.
      for (let step = 0; step < 400; step += 1) await clock.advance(100)
      expect(await work).toBe('served')
      expect(invocations[1]?.at).toBeGreaterThanOrEqual(30_000)
      expect(invocations).toHaveLength(2)
    },
  )

  test('an abort ends a wait at once and leaves nothing behind', async () => {
    const told = scene({ candidates: [A] })
    const controller = new AbortController()
    const { call, invocations } = scriptedProducer({ a: [hinted(30)] }, told)
    const settled = outcomeOf(told.guard.execute(call, { abortSignal: controller.signal }))
    await told.clock.advance(10)
    controller.abort('enough')
    expect(await settled).toEqual({ error: 'enough' })
    expect(told.clock.pendingTimers).toBe(0)
    await told.clock.advance(100_000)
    expect(invocations).toHaveLength(1)
  })
})

describe('the hint and the own backoff', () => {
  const waited = async (own: number, hint: number | undefined, random: number, clampDown = false): Promise<number> => {
    const told = scene({
      candidates: [A],
      backoff: () => own,
      random: () => random,
      retryAfter: { clampDown },
      maxWaitMs: Number.POSITIVE_INFINITY,
    })
    const { call, invocations } = scriptedProducer(
      { a: [hint === undefined ? transient : hinted(hint), { value: 1 }] },
      told,
    )
    await told.clock.run(told.guard.execute(call))
    return invocations[1]?.at ?? Number.NaN
  }

  test.each([
    [500, undefined, 0.5, false, 500],
    [500, 0, 0.5, false, 500],
    [500, 2, 0, false, 2_000],
    [500, 2, 0.5, false, 2_100],
    [500, 2, 0.999, false, 2_199.8],
    [5_000, 2, 0.5, false, 5_000],
    [2_150, 2, 0.999, false, 2_199.8],
    [0, 3_600, 0.5, false, 3_605_000],
    [5_000, 2, 0.5, true, 2_100],
    [500, 2, 0.5, true, 2_100],
    [5_000, undefined, 0.5, true, 5_000],
    [5_000, 0, 0.5, true, 5_000],
  ])('own %d ms, hint %s s, r %d, clampDown %s: %d ms', async (own, hint, random, clampDown, expected) => {
    const waitedMs = await waited(own, hint, random, clampDown)
    // The queue rounds up to whole milliseconds and never rings early.
    expect(waitedMs).toBe(Math.ceil(expected))
  })

  test('a backoff that answers nonsense or throws never means "now"', async () => {
    for (const backoff of [
      () => Number.NaN,
      () => -1,
      () => Number.POSITIVE_INFINITY,
      () => 'soon' as never,
      () => undefined as never,
      () => {
        throw new Error('x')
      },
    ]) {
      const told = scene({ candidates: [A], backoff })
      const { call, invocations } = scriptedProducer({ a: [transient, { value: 1 }] }, told)
      await told.clock.run(told.guard.execute(call))
      expect(invocations[1]?.at).toBeGreaterThan(0)
    }
  })

  test('a hint does not reset the backoff, a change of class or target does', async () => {
    const repeats: number[] = []
    const told = scene({
      candidates: [A, B],
      attempts: { perTarget: 3, total: 20 },
      backoff: ({ repeat }) => {
        repeats.push(repeat)
        return 10
      },
    })
    const { call } = scriptedProducer({ a: [transient, hinted(1), transient], b: [transient, { value: 1 }] }, told)
    await told.clock.run(told.guard.execute(call))
    expect(repeats.slice(0, 2)).toEqual([1, 2])
    expect(repeats.at(-1)).toBe(1)
  })
})

describe('a wait that is too long', () => {
  test('goes on with the next candidate', async () => {
    const told = scene({ candidates: [A, B] })
    const { call, invocations } = scriptedProducer({ a: [hinted(3_600)] }, told)
    expect(await told.guard.execute(call)).toBe('b')
    expect(invocations.map(({ candidate, at }) => [candidate, at])).toEqual([
      ['a', 0],
      ['b', 0],
    ])
    expect(told.of('advance')).toMatchObject([{ reason: 'wait_too_long', from: 'a', candidate: 'b' }])
  })

  test('surfaces with the hint where there is none, at once', async () => {
    const told = scene({ candidates: [A] })
    const { call } = scriptedProducer({ a: [hinted(3_600)] }, told)
    expect(await outcomeOf(told.guard.execute(call))).toMatchObject({
      error: { reason: 'wait_too_long', class: 'transient', retry_after_secs: 3_600, retryable: true },
    })
    expect(told.clock.now()).toBe(0)
  })

  test('all waits of a call together stay within maxWaitMs', async () => {
    const told = scene({ candidates: [A], maxWaitMs: 10_000, attempts: { perTarget: 10 }, budget: false })
    const { call, invocations } = scriptedProducer({ a: [hinted(4)] }, told)
    expect(await told.clock.run(outcomeOf(told.guard.execute(call)))).toMatchObject({
      error: { reason: 'wait_too_long' },
    })
    expect(invocations.map(({ at }) => at)).toEqual([0, 4_000, 8_000])
  })

  test('capped comes back after what is left of maxWaitMs, once, and the mark keeps the hint', async () => {
    const told = scene({
      candidates: [A],
      maxWaitMs: 10_000,
      retryAfter: { onTooLong: 'cap' },
      attempts: { perTarget: 10 },
    })
    const { call, invocations } = scriptedProducer({ a: [hinted(4), hinted(3_600), { value: 'served' }] }, told)
    expect(await told.clock.run(told.guard.execute(call))).toBe('served')
    expect(invocations.map(({ at }) => at)).toEqual([0, 4_000, 10_000])
    expect(told.guard.health.snapshot().cooling).toMatchObject([{ candidate: 'a', remainingMs: 3_594_000 }])
    expect(told.of('retry').at(-1)).toMatchObject({ reason: 'capped', delayMs: 6_000 })
  })

  test('capping is only for when no candidate is ready', async () => {
    const told = scene({ candidates: [A, B], retryAfter: { onTooLong: 'cap' } })
    const { call, invocations } = scriptedProducer({ a: [hinted(3_600)] }, told)
    expect(await told.guard.execute(call)).toBe('b')
    expect(invocations).toHaveLength(2)
  })

  test('capping never outlasts the deadline', async () => {
    const told = scene({ candidates: [A], retryAfter: { onTooLong: 'cap' }, timeoutMs: 5_000 })
    const { call, invocations } = scriptedProducer({ a: [hinted(3_600)] }, told)
    expect(await outcomeOf(told.guard.execute(call))).toMatchObject({ error: { reason: 'deadline' } })
    expect(invocations).toHaveLength(1)
    expect(told.clock.now()).toBe(0)
  })

  test('only the capped call overlooks the mark: another waits for it or surfaces', async () => {
    const told = scene({ candidates: [A], maxWaitMs: 10_000, retryAfter: { onTooLong: 'cap' } })
    const { call, invocations } = scriptedProducer({ a: [hinted(20), { value: 'one' }, { value: 'two' }] }, told)
    const first = told.guard.execute(call)
    await told.clock.advance(10_000)
    expect(await first).toBe('one')
    const second = told.guard.execute(call)
    await told.clock.advance(9_999)
    expect(invocations).toHaveLength(2)
    await told.clock.advance(1)
    expect(await second).toBe('two')
    expect(invocations[2]?.at).toBe(20_000)
  })
})

describe('switchAfterMs', () => {
  test.each([
    [5_000, 5, ['a', 'a']],
    [5_000, 5.001, ['a', 'b']],
    [0, 0.001, ['a', 'b']],
    [Number.POSITIVE_INFINITY, 59, ['a', 'a']],
  ])('%d ms, a hint of %d s: %j', async (switchAfterMs, hint, asked) => {
    const told = scene({ candidates: [A, B], switchAfterMs, backoff: () => 0 })
    const { call, invocations } = scriptedProducer({ a: [hinted(hint), { value: 'a' }] }, told)
    await told.clock.run(told.guard.execute(call))
    expect(invocations.map(({ candidate }) => candidate)).toEqual(asked)
  })

  test('without another that is ready the call waits for the same one', async () => {
    const told = scene({ candidates: [A, B] })
    const { call, invocations } = scriptedProducer(
      { a: [hinted(40), { value: 'a' }], b: [hinted(30), { value: 'b' }] },
      told,
    )
    expect(await told.clock.run(told.guard.execute(call))).toBe('b')
    expect(invocations.map(({ candidate, at }) => [candidate, at])).toEqual([
      ['a', 0],
      ['b', 0],
      ['b', 30_000],
    ])
  })

  test('all cooling: a new call waits for the earliest-ready, not the first', async () => {
    const told = scene({ candidates: [A, B, C], maxWaitMs: 5_000 })
    const { call, invocations } = scriptedProducer(
      { a: [hinted(50)], b: [hinted(8), { value: 'b' }], c: [hinted(40)] },
      told,
    )
    expect(await outcomeOf(told.guard.execute(call))).toMatchObject({ error: { retry_after_secs: 8 } })
    await told.clock.advance(4_000)
    expect(await told.clock.run(told.guard.execute(call))).toBe('b')
    expect(invocations.at(-1)).toMatchObject({ candidate: 'b', at: 8_000 })
    expect(invocations).toHaveLength(4)
  })

  test('a shorter hint than the one before does not bring the floor forward', async () => {
    const told = scene({ candidates: [A], attempts: { perTarget: 1 } })
    let first: (error: unknown) => void = () => undefined
    const slow = told.guard.settle(
      () =>
        new Promise((_, reject) => {
          first = reject
        }),
    )
    await told.guard.settle(() => Promise.reject(producedError('transient', { retryAfterSecs: 30 })))
    first(producedError('transient', { retryAfterSecs: 2 }))
    await slow
    expect(told.guard.health.snapshot().cooling).toMatchObject([{ remainingMs: 30_000 }])
  })
})
