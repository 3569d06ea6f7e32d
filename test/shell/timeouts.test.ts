import { isHeedError } from 'heed'
import { producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, outcomeOf, scene } from './scene.ts'

describe('attemptTimeoutMs', () => {
  test('cuts a running attempt: ambiguous, on no other candidate, signal aborted', async () => {
    const told = scene({ candidates: [A, B], attemptTimeoutMs: 1_000 })
    const signals: AbortSignal[] = []
    const settled = await told.clock.run(
      outcomeOf(
        told.guard.execute(({ abortSignal }) => {
          signals.push(abortSignal)
          return new Promise<never>(() => undefined)
        }),
      ),
    )
    expect(settled).toMatchObject({ error: { name: 'HeedError', reason: 'attempt_timeout', retryable: false } })
    const { error } = settled as { error: Error & { class?: string } }
    expect(error.class).toBeUndefined()
    expect(error.cause).toBeUndefined()
    expect(signals).toHaveLength(1)
    expect(signals[0]?.reason).toMatchObject({ name: 'TimeoutError' })
    expect(told.clock.now()).toBe(1_000)
    expect(told.clock.pendingTimers).toBe(0)
    expect(told.of('failure')).toMatchObject([{ found: 'attempt_timeout', ambiguous: true }])
    expect(told.of('surface')).toMatchObject([{ reason: 'attempt_timeout' }])
  })

  test('of an idempotent call is transient: the next attempt has its own limit', async () => {
    const told = scene({ candidates: [A], attemptTimeoutMs: 1_000, idempotent: true })
    const value = await told.clock.run(
      told.guard.execute(({ number }) => (number < 3 ? new Promise<never>(() => undefined) : 'third')),
    )
    expect(value).toBe('third')
    expect(told.clock.now()).toBe(1_000 + 100 + 1_000 + 100)
  })

  test('of an idempotent call that never serves is the cause', async () => {
    const told = scene({ candidates: [A], attemptTimeoutMs: 1_000 })
    const settled = await told.clock.run(
      outcomeOf(told.guard.execute(() => new Promise<never>(() => undefined), { idempotent: true })),
    )
    expect(settled).toMatchObject({
      error: { reason: 'attempts_spent', class: 'transient', cause: { reason: 'attempt_timeout' } },
    })
    expect((settled as { error: { attempts: unknown[] } }).error.attempts).toHaveLength(3)
  })

  test('0 and Infinity are no limit, and make no timer', async () => {
    for (const attemptTimeoutMs of [0, Number.POSITIVE_INFINITY]) {
      const told = scene({ candidates: [A], attemptTimeoutMs })
      const timers: number[] = []
      await told.guard.execute(() => timers.push(told.clock.pendingTimers))
      expect(timers).toEqual([0])
    }
  })

  test('what a cut attempt does later changes nothing', async () => {
    const told = scene({ candidates: [A], attemptTimeoutMs: 1_000, idempotent: true })
    let late: (value: string) => void = () => undefined
    const value = told.guard.execute(({ number }) =>
      number === 1
        ? new Promise<string>((resolve) => {
            late = resolve
          })
        : Promise.resolve('second'),
    )
    await told.clock.advance(1_050)
    late('first, too late')
    expect(await told.clock.run(value)).toBe('second')
    expect(told.of('attempt')).toHaveLength(2)
    expect(told.of('success')).toHaveLength(1)
  })
})

describe('timeoutMs', () => {
  test('cuts a running attempt with the reason timeout', async () => {
    const told = scene({ candidates: [A, B], timeoutMs: 800 })
    const settled = await told.clock.run(outcomeOf(told.guard.execute(() => new Promise<never>(() => undefined))))
    expect(settled).toMatchObject({ error: { name: 'HeedError', reason: 'timeout' } })
    expect(told.clock.now()).toBe(800)
  })

  test("a call's own beats the guard's, 0 and Infinity take it away", async () => {
    const told = scene({ candidates: [A], timeoutMs: 800 })
    const slow = (): Promise<string> => new Promise((resolve) => told.clock.setTimeout(() => resolve('slow'), 5_000))
    expect(await told.clock.run(outcomeOf(told.guard.execute(slow, { timeoutMs: 100 })))).toMatchObject({
      error: { reason: 'timeout' },
    })
    expect(await told.clock.run(told.guard.execute(slow, { timeoutMs: 0 }))).toBe('slow')
    expect(await told.clock.run(told.guard.execute(slow, { timeoutMs: Number.POSITIVE_INFINITY }))).toBe('slow')
  })

  test.each([Number.NaN, -1])('%d is refused, naming it, by a rejection', async (timeoutMs) => {
    const { guard } = scene({ candidates: [A] })
    const work = (async () => guard.execute(() => 'x', { timeoutMs }))()
    await expect(work).rejects.toThrow(/timeoutMs/)
  })

  test('is given up early: no wait is begun that cannot end before it', async () => {
    const told = scene({ candidates: [A], timeoutMs: 1_000 })
    const { call, invocations } = scriptedProducer(
      { a: [{ error: producedError('transient', { retryAfterSecs: 1 }) }] },
      told,
    )
    const settled = await outcomeOf(told.guard.execute(call))
    expect(settled).toMatchObject({ error: { reason: 'deadline', class: 'transient', retry_after_secs: 1 } })
    expect(told.clock.now()).toBe(0)
    expect(invocations).toHaveLength(1)
    expect(told.clock.pendingTimers).toBe(0)
  })

  test('a wait that ends just before it is taken', async () => {
    const told = scene({ candidates: [A], timeoutMs: 1_001 })
    const { call } = scriptedProducer(
      { a: [{ error: producedError('transient', { retryAfterSecs: 1 }) }, { value: 'served' }] },
      told,
    )
    expect(await told.clock.run(told.guard.execute(call))).toBe('served')
    expect(told.clock.now()).toBe(1_000)
  })

  test('while a pause waits for a human, it surfaces as the refusal', async () => {
    const told = scene({ candidates: [A], timeoutMs: 2_000 })
    const { call } = scriptedProducer({ a: [{ error: producedError('auth_required') }] }, told)
    const outcome = await told.clock.run(told.guard.settle(call))
    expect(outcome).toMatchObject({ status: 'suspended', class: 'auth_required' })
    expect(told.clock.now()).toBe(2_000)
  })

  test('while a call that never attempted anything waits for a blocked provider, it surfaces as auth_required', async () => {
    const told = scene({ candidates: [A], timeoutMs: 2_000 })
    const { call, invocations } = scriptedProducer({ a: [{ error: producedError('auth_required') }] }, told)
    await told.clock.run(told.guard.settle(call))
    const second = await told.clock.run(told.guard.settle(call))
    expect(invocations).toHaveLength(1)
    expect(second).toMatchObject({ status: 'suspended', class: 'auth_required', attempts: [] })
    if (second.status !== 'completed') expect(isHeedError(second.error)).toBe(true)
  })

  test('while reduce runs, it ends that too', async () => {
    const told = scene({ candidates: [{ ...A, contextWindow: 10 }], timeoutMs: 500 })
    const { call } = scriptedProducer({ a: [{ error: producedError('context_overflow') }] }, told)
    const settled = await told.clock.run(
      outcomeOf(told.guard.execute(call, { input: 'x', reduce: () => new Promise<string>(() => undefined) })),
    )
    expect(settled).toMatchObject({ error: { class: 'context_overflow' } })
    expect(told.clock.now()).toBe(500)
  })
})
