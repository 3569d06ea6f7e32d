import { createHealth, heed } from 'heed'
import { producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { FALLBACK, guarded, PRIMARY, thrownBy } from './stage.ts'

const THIRD = { id: 'third', provider: 'three' } as const

describe('in an outage', () => {
  test.each([1, 2, 10, 50])('%i concurrent calls are all served by the fallback', async (calls) => {
    const { guard, clock } = guarded([PRIMARY, FALLBACK])
    const { call } = scriptedProducer({ primary: [{ error: producedError('transient'), afterMs: 5 }] }, { clock })
    const values = await clock.run(Promise.all(Array.from({ length: calls }, () => guard.execute(call))))
    expect(values).toEqual(Array.from({ length: calls }, () => 'fallback'))
  })

  test('50 concurrent calls with three candidates are all served, whichever candidate is down', async () => {
    for (const down of [['primary'], ['primary', 'fallback']]) {
      const { guard, clock } = guarded([PRIMARY, FALLBACK, THIRD])
      const { call } = scriptedProducer(
        Object.fromEntries(down.map((id) => [id, [{ error: producedError('permanent'), afterMs: 3 }]])),
        { clock },
      )
      const values = await clock.run(Promise.all(Array.from({ length: 50 }, () => guard.execute(call))))
      expect(new Set(values)).toEqual(new Set([down.length === 1 ? 'fallback' : 'third']))
    }
  })

  test('the failure of one call is never put down to another call, or to the candidate that served it', async () => {
    const { guard, clock } = guarded([PRIMARY, FALLBACK])
    const failures: string[] = []
    guard.health.on('failure', ({ callId, candidate }) => failures.push(`${callId} ${candidate}`))
    const outcomes = await clock.run(
      Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          guard.settle(({ candidate }) => {
            if (n % 2 === 0 && candidate.id === 'primary') throw producedError('permanent')
            return `${n} from ${candidate.id}`
          }),
        ),
      ),
    )
    expect(outcomes.map((outcome) => (outcome.status === 'completed' ? outcome.value : 'lost'))).toEqual(
      Array.from({ length: 20 }, (_, n) => `${n} from ${n % 2 === 0 ? 'fallback' : 'primary'}`),
    )
    expect(new Set(failures).size).toBe(10)
    expect(failures.every((failure) => failure.endsWith('primary'))).toBe(true)
  })

  test('calls that were told the same time do not come back in the same instant, and none too early', async () => {
    let turn = 0
    const random = (): number => (turn++ * 0.618_033_988_75) % 1
    const { guard, clock } = guarded([PRIMARY], { random, maxWaitMs: Number.POSITIVE_INFINITY, budget: false })
    const back: number[] = []
    await clock.run(
      Promise.all(
        Array.from({ length: 30 }, () =>
          guard.execute(async ({ number }) => {
            await Promise.resolve()
            if (number === 1) throw producedError('transient', { retryAfterSecs: 600 })
            back.push(clock.now())
          }),
        ),
      ),
    )
    expect(Math.min(...back)).toBeGreaterThanOrEqual(600_000)
    expect(Math.max(...back)).toBeLessThanOrEqual(610_000)
    expect(new Set(back).size).toBeGreaterThan(25)
  })

  test('what one call was told about a limit holds for the calls after it: the dead primary is not paid for again', async () => {
    const { guard, clock } = guarded([PRIMARY, FALLBACK])
    const { call, invocations } = scriptedProducer(
      { primary: [{ error: producedError('transient', { retryAfterSecs: 60 }) }, { value: 'primary' }] },
      { clock },
    )
    for (let turn = 0; turn < 10; turn += 1) expect(await guard.execute(call)).toBe('fallback')
    expect(invocations.filter(({ candidate }) => candidate === 'primary')).toHaveLength(1)
    const recovered: string[] = []
    guard.health.on('recovered', ({ candidate }) => recovered.push(candidate))
    await clock.advance(60_000)
    expect(await guard.execute(call)).toBe('primary')
    expect(recovered).toEqual(['primary'])
  })

  test('a limit of one model leaves the other models of its provider in service', async () => {
    const { guard, clock } = guarded([PRIMARY, { id: 'sibling', provider: 'one' }])
    const { call } = scriptedProducer(
      { primary: [{ error: producedError('transient', { retryAfterSecs: 3_600 }) }] },
      { clock },
    )
    expect(await guard.execute(call)).toBe('sibling')
  })

  test('hidden retries do not multiply: three layers of guards make three requests', async () => {
    const { guard: inner, clock } = guarded([PRIMARY])
    const health = createHealth({ clock })
    const outer = heed({ candidates: [PRIMARY], clock, health, random: () => 0 })
    let requests = 0
    const error = await clock.run(
      thrownBy(
        outer.execute(() =>
          inner.execute(() => {
            requests += 1
            throw producedError('transient')
          }),
        ),
      ),
    )
    expect(requests).toBe(3)
    expect(error).toMatchObject({ name: 'HeedError', class: 'transient', exhausted: true })
  })

  test('a fleet does not retry a dead server to death: repeats end with the budget, and no call waits for it', async () => {
    const { guard, clock } = guarded([PRIMARY], { backoff: () => 10 })
    const { call, invocations } = scriptedProducer({ primary: [{ error: producedError('transient') }] }, { clock })
    for (let turn = 0; turn < 100; turn += 1) await clock.run(guard.settle(call))
    // 100 calls, 3 repeats at hand and a tenth of a repeat earned by each call.
    expect(invocations.length).toBeGreaterThanOrEqual(100 + 3)
    expect(invocations.length).toBeLessThanOrEqual(100 + 3 + 10)
  })

  test('the attempts of a call do not share one slice of time: the fallback gets its own', async () => {
    const { guard, clock } = guarded([PRIMARY, FALLBACK], {
      attemptTimeoutMs: 15_000,
      idempotent: true,
      attempts: { perTarget: 1 },
    })
    const { call } = scriptedProducer(
      { primary: [{ hangs: true }], fallback: [{ value: 'ok', afterMs: 14_000 }] },
      { clock },
    )
    expect(await clock.run(guard.execute(call))).toBe('ok')
    expect(clock.now()).toBe(29_000)
  })
})

describe('who served', () => {
  test('is told with the answer and in every event: wanted and serving candidate, and the call', async () => {
    const { guard, clock } = guarded([PRIMARY, FALLBACK])
    const events: { callId: string; asked: string; candidate: string }[] = []
    guard.health.on('advance', (event) => events.push(event))
    guard.health.on('success', (event) => events.push(event))
    const { call } = scriptedProducer({ primary: [{ error: producedError('permanent') }] }, { clock })
    const outcome = await guard.settle(call)
    expect(outcome).toMatchObject({ status: 'completed', served: { candidate: FALLBACK } })
    expect(new Set(events.map(({ callId }) => callId)).size).toBe(1)
    expect(events.map(({ asked, candidate }) => [asked, candidate])).toEqual([
      ['primary', 'fallback'],
      ['primary', 'fallback'],
    ])
  })

  test("or did not: the last error keeps all attempts, the first one's class included", async () => {
    const { guard, clock } = guarded([PRIMARY, FALLBACK], { auth: () => 'advance' })
    const last = producedError('permanent')
    const { call } = scriptedProducer(
      { primary: [{ error: producedError('auth_required') }], fallback: [{ error: last }] },
      { clock },
    )
    const error = await thrownBy(guard.execute(call))
    expect(error).toMatchObject({
      attempts: [
        { candidate: 'primary', class: 'auth_required' },
        { candidate: 'fallback', class: 'permanent' },
      ],
      cause: last,
    })
  })
})
