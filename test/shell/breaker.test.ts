import type { BreakerCounter } from 'heed'
import { consecutive } from 'heed/strategies/breaker/consecutive'
import { producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, outcomeOf, scene } from './scene.ts'

const transient = { error: producedError('transient') }
const once = { perTarget: 1 }

describe('a breaker', () => {
  test('opens, cools for every call, lets one probe through, and closes when it serves', async () => {
    const told = scene({ candidates: [A, B], breaker: consecutive({ threshold: 2, coolMs: 10_000 }), attempts: once })
    const { call, invocations } = scriptedProducer({ a: [transient, transient, { value: 'a' }] }, told)
    await told.guard.execute(call)
    expect(told.guard.health.snapshot().cooling).toEqual([])
    await told.guard.execute(call)
    expect(told.guard.health.snapshot().cooling).toMatchObject([
      { candidate: 'a', breaker: 'open', remainingMs: 10_000 },
    ])
    expect(told.of('cooling')).toMatchObject([{ source: 'breaker', forMs: 10_000 }])
    expect(await told.guard.execute(call)).toBe('b')
    expect(invocations.filter(({ candidate }) => candidate === 'a')).toHaveLength(2)
    await told.clock.advance(10_000)
    expect(told.guard.health.snapshot().cooling).toMatchObject([{ breaker: 'half_open', remainingMs: 0 }])
    expect(await told.guard.execute(call)).toBe('a')
    expect(told.guard.health.snapshot().cooling).toEqual([])
    expect(told.of('recovered')).toMatchObject([{ candidate: 'a', by: 'success' }])
  })

  test('of fifty calls at a half-open breaker one is the probe', async () => {
    const told = scene({ candidates: [A, B], breaker: consecutive({ threshold: 1, coolMs: 10_000 }), attempts: once })
    const { call, invocations } = scriptedProducer({ a: [transient, { value: 'a', afterMs: 100 }] }, told)
    await told.guard.execute(call)
    await told.clock.advance(10_000)
    const values = await told.clock.run(Promise.all(Array.from({ length: 50 }, () => told.guard.execute(call))))
    expect(values.filter((value) => value === 'a')).toHaveLength(1)
    expect(invocations.filter(({ candidate }) => candidate === 'a')).toHaveLength(2)
  })

  test('a probe that fails opens it again for as long', async () => {
    const told = scene({ candidates: [A, B], breaker: consecutive({ threshold: 3, coolMs: 10_000 }), attempts: once })
    const { call, invocations } = scriptedProducer({ a: [transient] }, told)
    for (let n = 0; n < 3; n += 1) await told.guard.execute(call)
    await told.clock.advance(10_000)
    await told.guard.execute(call)
    expect(invocations.filter(({ candidate }) => candidate === 'a')).toHaveLength(4)
    expect(told.guard.health.snapshot().cooling).toMatchObject([{ breaker: 'open', remainingMs: 10_000 }])
  })

  test('a late success of an attempt from before it opened does not close it', async () => {
    const told = scene({ candidates: [A, B], breaker: consecutive({ threshold: 1, coolMs: 10_000 }), attempts: once })
    let late: (value: string) => void = () => undefined
    const slow = told.guard.execute(
      () =>
        new Promise<string>((resolve) => {
          late = resolve
        }),
    )
    await told.guard.settle(scriptedProducer({ a: [transient] }, told).call)
    late('late')
    expect(await slow).toBe('late')
    expect(told.guard.health.snapshot().cooling).toMatchObject([{ breaker: 'open' }])
    expect(told.of('recovered')).toEqual([])
  })

  test('a late failure does not open it longer', async () => {
    const told = scene({ candidates: [A, B], breaker: consecutive({ threshold: 1, coolMs: 10_000 }), attempts: once })
    let late: (error: unknown) => void = () => undefined
    const slow = told.guard.settle(({ candidate }) =>
      candidate.id === 'b'
        ? 'b'
        : new Promise<string>((_, reject) => {
            late = reject
          }),
    )
    await told.guard.settle(scriptedProducer({ a: [transient] }, told).call)
    await told.clock.advance(4_000)
    late(producedError('transient'))
    await slow
    expect(told.guard.health.snapshot().cooling).toMatchObject([{ remainingMs: 6_000 }])
  })

  test.each(['permanent', 'auth_required', 'context_overflow', 'quota_of_mars'])(
    'does not count %s',
    async (stated) => {
      const told = scene({
        candidates: [A],
        breaker: consecutive({ threshold: 1, coolMs: 10_000 }),
        auth: () => 'surface',
      })
      await told.guard.settle(scriptedProducer({ a: [{ error: producedError(stated) }] }, told).call)
      expect(told.guard.health.snapshot().cooling).toEqual([])
    },
  )

  test('revive closes it', async () => {
    const told = scene({ candidates: [A, B], breaker: consecutive({ threshold: 1, coolMs: 10_000 }), attempts: once })
    const { call } = scriptedProducer({ a: [transient, { value: 'a' }] }, told)
    await told.guard.execute(call)
    told.guard.health.revive('a')
    expect(await told.guard.execute(call)).toBe('a')
  })

  test('a counter that throws costs no call its answer or its error', async () => {
    const counter: BreakerCounter = {
      success: () => {
        throw new Error('the counter')
      },
      failure: () => {
        throw new Error('the counter')
      },
    }
    const told = scene({ candidates: [A, B], breaker: { coolMs: 10_000, counter: () => counter }, attempts: once })
    expect(await outcomeOf(told.guard.execute(() => 'served'))).toEqual({ value: 'served' })
    const { call } = scriptedProducer({ a: [transient] }, told)
    expect(await outcomeOf(told.guard.execute(call))).toEqual({ value: 'b' })
  })
})
