import { producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { FALLBACK, guarded, PRIMARY, thrownBy } from './stage.ts'

const limited = (retryAfterSecs: number) => ({ error: producedError('transient', { retryAfterSecs }) })

describe('a limit with a time', () => {
  test.each([1, 59, 60, 61, 70, 120, 3_600])('of %i s is never undercut', async (secs) => {
    const { guard, clock } = guarded([PRIMARY], { maxWaitMs: Number.POSITIVE_INFINITY })
    const { call, invocations } = scriptedProducer({ primary: [limited(secs), { value: 'ok' }] }, { clock })
    expect(await clock.run(guard.execute(call))).toBe('ok')
    expect(invocations[1]?.at).toBeGreaterThanOrEqual(secs * 1_000)
  })

  test('of exactly the most that a call waits is waited for, and a millisecond more is not', async () => {
    for (const [secs, served] of [
      [60, true],
      [60.001, false],
    ] as const) {
      const { guard, clock } = guarded([PRIMARY])
      const { call } = scriptedProducer({ primary: [limited(secs), { value: 'ok' }] }, { clock })
      const outcome = await clock.run(guard.settle(call))
      expect(outcome.status).toBe(served ? 'completed' : 'failed')
      expect(clock.now()).toBe(served ? 60_000 : 0)
    }
  })

  test('of hours is not slept inside the call: the next candidate serves now', async () => {
    const { guard, clock } = guarded([PRIMARY, FALLBACK])
    const { call } = scriptedProducer({ primary: [limited(3 * 3_600)] }, { clock })
    expect(await guard.execute(call)).toBe('fallback')
    expect(clock.now()).toBe(0)
  })

  test('of hours and nobody else surfaces at once, with the time at which it is usable again', async () => {
    const { guard, clock } = guarded([PRIMARY])
    const { call, invocations } = scriptedProducer({ primary: [limited(3 * 3_600)] }, { clock })
    const error = await thrownBy(guard.execute(call))
    expect(error).toMatchObject({ class: 'transient', retry_after_secs: 10_800, retryable: true })
    expect(clock.now()).toBe(0)
    expect(invocations).toHaveLength(1)
  })

  test('does not replace an own wait that is longer', async () => {
    const { guard, clock } = guarded([PRIMARY], { backoff: () => 30_000 })
    const { call, invocations } = scriptedProducer({ primary: [limited(1), { value: 'ok' }] }, { clock })
    await clock.run(guard.execute(call))
    expect(invocations[1]?.at).toBe(30_000)
  })

  test.each([
    ['0', 0],
    ['"soon"', 'soon'],
    ['NaN', Number.NaN],
    ['-1', -1],
  ])('of %s never means three calls in a moment', async (_name, hint) => {
    const { guard, clock } = guarded([PRIMARY], { backoff: () => 500 })
    const error = Object.assign(new Error('busy'), { class: 'transient', retry_after_secs: hint })
    const { call, invocations } = scriptedProducer({ primary: [{ error }] }, { clock })
    await clock.run(guard.settle(call))
    expect(invocations.map(({ at }) => at)).toEqual([0, 500, 1_000])
  })

  test('of a month neither hammers nor ends early', async () => {
    const { guard, clock } = guarded([PRIMARY], { maxWaitMs: Number.POSITIVE_INFINITY })
    const { call, invocations } = scriptedProducer({ primary: [limited(30 * 86_400), { value: 'ok' }] }, { clock })
    await clock.run(guard.execute(call))
    expect(invocations.map(({ at }) => at)).toEqual([0, 30 * 86_400_000])
  })

  test('that another call extends is the later of the two', async () => {
    const { guard, clock } = guarded([PRIMARY], { maxWaitMs: 120_000, attempts: { perTarget: 2 } })
    const hints = [10, 50]
    const back: number[] = []
    const call = async ({ number }: { readonly number: number }): Promise<string> => {
      await Promise.resolve()
      if (number === 1) throw producedError('transient', { retryAfterSecs: hints.shift() ?? 0 })
      back.push(clock.now())
      return 'ok'
    }
    await clock.run(Promise.all([guard.execute(call), guard.execute(call)]))
    expect(Math.min(...back)).toBe(50_000)
  })

  test('is left at once on abort, and nothing is called afterwards', async () => {
    const { guard, clock } = guarded([PRIMARY, FALLBACK], { backoff: () => 1_000 })
    const controller = new AbortController()
    const { call, invocations } = scriptedProducer({ primary: [{ error: producedError('transient') }] }, { clock })
    const thrown = thrownBy(guard.execute(call, { abortSignal: controller.signal }))
    await clock.advance(300)
    controller.abort(new Error('the user left'))
    expect(await thrown).toMatchObject({ message: 'the user left' })
    expect(clock.now()).toBe(300)
    await clock.advance(100_000)
    expect(invocations).toHaveLength(1)
    expect(clock.pendingTimers).toBe(0)
  })

  test('a dead signal makes no attempt and no news of a retry', async () => {
    const { guard, clock } = guarded([PRIMARY, FALLBACK])
    const news: string[] = []
    for (const name of ['attempt', 'retry', 'advance'] as const) guard.health.on(name, () => news.push(name))
    await thrownBy(guard.execute(() => 'x', { abortSignal: AbortSignal.abort('gone') }))
    const controller = new AbortController()
    await thrownBy(
      guard.execute(
        () => {
          controller.abort('gone')
          throw producedError('transient')
        },
        { abortSignal: controller.signal },
      ),
    )
    expect(news).toEqual(['attempt'])
    expect(clock.pendingTimers).toBe(0)
  })

  test('survives two layers that wrap the error: the second does not come back early', async () => {
    const { guard, clock } = guarded([PRIMARY])
    const back: number[] = []
    await clock.run(
      guard.execute(({ number }) => {
        back.push(clock.now())
        if (number > 1) return 'ok'
        const produced = producedError('transient', { retryAfterSecs: 30 })
        throw new Error('agent failed', { cause: new Error('model failed', { cause: produced }) })
      }),
    )
    expect(back).toEqual([0, 30_000])
  })
})
