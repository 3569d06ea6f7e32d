import { advanceThenPause } from 'heed/strategies/auth/advance-then-pause'
import { surface } from 'heed/strategies/auth/surface'
import { producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, outcomeOf, scene } from './scene.ts'

const refusal = { error: producedError('auth_required') }
const KEYS = { id: 'a', provider: 'p', credentials: ['k1', { id: 'k2', token: 's3cret' }, 'k3'] } as const
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A call that is refused the listed credentials and answers with the one it was served by. */
const refusing = (told: { readonly clock: { now(): number } }, refused: Set<string>) => {
  const asked: { credential: string; at: number }[] = []
  return {
    asked,
    call: async ({ credential }: { readonly credential: string | { readonly id: string } | undefined }) => {
      const id = typeof credential === 'object' ? credential.id : (credential ?? 'none')
      asked.push({ credential: id, at: told.clock.now() })
      if (refused.has(id)) throw producedError('auth_required')
      return id
    },
  }
}

describe('credentials', () => {
  test('the next one is tried at once, as it was listed', async () => {
    const told = scene({ candidates: [KEYS] })
    const given: unknown[] = []
    const value = await told.guard.execute(({ credential, number, targetAttempt }) => {
      given.push([credential, number, targetAttempt])
      if (credential === 'k1') throw producedError('auth_required')
      return 'ok'
    })
    expect(value).toBe('ok')
    expect(given).toEqual([
      ['k1', 1, 1],
      [KEYS.credentials[1], 2, 1],
    ])
    expect((given[1] as unknown[])[0]).toBe(KEYS.credentials[1])
    expect(told.of('auth_prompt')).toMatchObject([{ provider: 'p', refused: ['k1'], blocking: false, generation: 0 }])
    expect(told.guard.auth.pending()).toMatchObject([{ provider: 'p', refused: ['k1'], blocking: false, waiting: 0 }])
  })

  test('a later call begins with the one that is not refused', async () => {
    const told = scene({ candidates: [KEYS] })
    const { call, asked } = refusing(told, new Set(['k1']))
    await told.guard.execute(call)
    await told.guard.execute(call)
    expect(asked.map(({ credential }) => credential)).toEqual(['k1', 'k2', 'k2'])
  })

  test('two in a call, then the provider is blocked and the call waits', async () => {
    const told = scene({ candidates: [KEYS] })
    const refused = new Set(['k1', 'k2'])
    const { call, asked } = refusing(told, refused)
    const work = told.guard.execute(call)
    await told.clock.advance(1_000)
    expect(asked.map(({ credential }) => credential)).toEqual(['k1', 'k2'])
    expect(told.guard.auth.pending()).toMatchObject([{ blocking: true, refused: ['k1', 'k2'], waiting: 1 }])
    expect(told.of('auth_prompt')).toHaveLength(1)
    refused.clear()
    told.guard.auth.resolve('p')
    expect(await told.clock.run(work)).toBe('k1')
    expect(told.guard.auth.pending()).toEqual([])
  })

  test('only ids are ever reported', async () => {
    const told = scene({ candidates: [KEYS], auth: surface })
    const { call } = refusing(told, new Set(['k1', 'k2', 'k3']))
    const outcome = await told.guard.settle(call)
    const said = JSON.stringify([told.heard, outcome, told.guard.health.snapshot(), told.guard.auth.pending()])
    expect(said).not.toContain('s3cret')
    expect(outcome.attempts.map(({ credential }) => credential)).toEqual(['k1', 'k2'])
  })

  test('one credential cooling leaves the other ready', async () => {
    const told = scene({ candidates: [{ id: 'a', provider: 'p', credentials: ['k1', 'k2'] }] })
    const asked: unknown[] = []
    const value = await told.guard.execute(({ credential }) => {
      asked.push(credential)
      if (credential === 'k1') throw producedError('transient', { retryAfterSecs: 30 })
      return credential
    })
    expect(value).toBe('k2')
    expect(asked).toEqual(['k1', 'k2'])
  })
})

describe('the pause', () => {
  test('the same call goes on after resolve, its attempts at the target start again', async () => {
    const told = scene({ candidates: [A], attempts: { perTarget: 1 } })
    const { call, invocations } = scriptedProducer({ a: [refusal, { value: 'ok' }] }, told)
    const work = told.guard.execute(call)
    await told.clock.advance(60_000)
    expect(told.names()).toEqual(['attempt', 'failure', 'auth_prompt', 'pause'])
    told.guard.auth.resolve('p')
    expect(await told.clock.run(work)).toBe('ok')
    expect(invocations.map(({ at, callId }) => [at, callId === invocations[0]?.callId])).toEqual([
      [0, true],
      [60_000, true],
    ])
    expect(told.of('resume')).toMatchObject([{ outcome: 'resolved', pausedMs: 60_000, provider: 'p' }])
    expect(told.clock.pendingTimers).toBe(0)
  })

  test('is on by default though another provider is ready', async () => {
    const told = scene({ candidates: [A, B] })
    const { call, invocations } = scriptedProducer({ a: [refusal, { value: 'a' }] }, told)
    const work = told.guard.execute(call)
    await told.clock.advance(10_000)
    expect(invocations).toHaveLength(1)
    told.guard.auth.resolve('p')
    expect(await told.clock.run(work)).toBe('a')
  })

  test('a thousand calls make one prompt, one goes first and the rest within a second', async () => {
    const told = scene({ candidates: [A] })
    const { call, invocations } = scriptedProducer({ a: [refusal, { value: 'ok' }] }, told)
    const first = told.guard.execute(call)
    await told.clock.advance(0)
    const others = Array.from({ length: 999 }, () => told.guard.execute(call))
    await told.clock.advance(5_000)
    expect(invocations).toHaveLength(1)
    expect(told.of('auth_prompt')).toHaveLength(1)
    expect(told.guard.auth.pending()).toMatchObject([{ waiting: 1_000 }])
    const resolvedAt = told.clock.now()
    told.guard.auth.resolve('p')
    expect(await told.clock.run(Promise.all([first, ...others]))).toEqual(Array.from({ length: 1_000 }, () => 'ok'))
    const after = invocations.slice(1).map(({ at }) => at - resolvedAt)
    expect(after.filter((at) => at === 0)).toHaveLength(1)
    expect(Math.max(...after)).toBeLessThanOrEqual(1_000)
    expect(new Set(after).size).toBeGreaterThan(500)
    expect(told.clock.pendingTimers).toBe(0)
  })

  test('when the first that resumes is refused again, the rest wait on, with a new prompt', async () => {
    const told = scene({ candidates: [A] })
    const { call, invocations } = scriptedProducer({ a: [refusal, refusal, { value: 'ok' }] }, told)
    const work = Array.from({ length: 10 }, () => told.guard.execute(call))
    await told.clock.advance(0)
    const before = invocations.length
    told.guard.auth.resolve('p')
    await told.clock.advance(5_000)
    expect(invocations.length).toBeGreaterThan(before)
    told.guard.auth.resolve('p')
    expect(await told.clock.run(Promise.all(work))).toEqual(Array.from({ length: 10 }, () => 'ok'))
    expect(told.of('auth_prompt').map(({ generation }) => generation)).toEqual([
      ...new Set(told.of('auth_prompt').map(({ generation }) => generation)),
    ])
  })

  test('ends after maxPauseMs for that call alone; the prompt stays open', async () => {
    const told = scene({ candidates: [A], maxPauseMs: 10_000 })
    const { call, invocations } = scriptedProducer({ a: [refusal] }, told)
    const outcome = told.guard.settle(call)
    await told.clock.advance(4_000)
    const second = told.guard.settle(call)
    await told.clock.advance(6_000)
    expect(await outcome).toMatchObject({ status: 'suspended', class: 'auth_required' })
    expect(told.guard.auth.pending()).toMatchObject([{ provider: 'p', waiting: 1, blocking: true }])
    await told.clock.advance(4_000)
    expect(await second).toMatchObject({ status: 'suspended', class: 'auth_required', attempts: [] })
    expect(invocations).toHaveLength(1)
    expect(told.of('resume')).toMatchObject([{ outcome: 'unanswered' }, { outcome: 'unanswered' }])
    expect(told.of('auth_prompt')).toHaveLength(1)
  })

  test('that ends unanswered goes on as if the provider were declined', async () => {
    const told = scene({ candidates: [A, B], maxPauseMs: 10_000 })
    const { call } = scriptedProducer({ a: [refusal] }, told)
    expect(await told.clock.run(told.guard.execute(call))).toBe('b')
    expect(told.clock.now()).toBe(10_000)
  })

  test('maxPauseMs: 0 is no pause', async () => {
    const told = scene({ candidates: [A, B], maxPauseMs: 0 })
    const { call } = scriptedProducer({ a: [refusal] }, told)
    expect(await told.clock.run(told.guard.execute(call))).toBe('b')
    expect(told.clock.now()).toBe(0)
  })

  test('an abort ends it at once, and only for that call', async () => {
    const told = scene({ candidates: [A] })
    const controller = new AbortController()
    const { call } = scriptedProducer({ a: [refusal, { value: 'ok' }] }, told)
    const aborted = outcomeOf(told.guard.execute(call, { abortSignal: controller.signal }))
    await turn()
    const other = told.guard.execute(call)
    await turn()
    controller.abort('enough')
    expect(await aborted).toEqual({ error: 'enough' })
    expect(told.guard.auth.pending()).toMatchObject([{ waiting: 1 }])
    told.guard.auth.resolve('p')
    expect(await told.clock.run(other)).toBe('ok')
  })
})

describe.each(['resolve', 'decline'] as const)('a listener that answers at once: %s', (answer) => {
  test.each(['auth_prompt', 'pause'] as const)('on %s', async (event) => {
    const told = scene({ candidates: [A, B] })
    told.guard.health.on(event, () => told.guard.auth[answer]('p'))
    const { call } = scriptedProducer({ a: [refusal, { value: 'a' }] }, told)
    expect(await told.clock.run(told.guard.execute(call))).toBe(answer === 'resolve' ? 'a' : 'b')
    expect(told.clock.now()).toBe(0)
    expect(told.clock.pendingTimers).toBe(0)
  })
})

describe('declining', () => {
  test('wakes the calls, and later ones skip the provider without pause or prompt, until resolve', async () => {
    const told = scene({ candidates: [A, B] })
    const { call, invocations } = scriptedProducer({ a: [refusal, { value: 'a' }] }, told)
    const work = told.guard.execute(call)
    await told.clock.advance(1_000)
    told.guard.auth.decline('p', 'no budget')
    expect(await work).toBe('b')
    expect(told.of('auth_resolved')).toMatchObject([{ outcome: 'declined', reason: 'no budget', waiting: 1 }])
    expect(await told.guard.execute(call)).toBe('b')
    expect(told.guard.auth.pending()).toEqual([])
    expect(told.of('pause')).toHaveLength(1)
    expect(told.of('auth_prompt')).toHaveLength(1)
    expect(told.guard.health.snapshot().providers).toMatchObject([{ provider: 'p', declined: true }])
    told.guard.auth.resolve('p')
    expect(await told.guard.execute(call)).toBe('a')
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['a', 'b', 'b', 'a'])
  })

  test('a declined provider counts as auth_required in what surfaces', async () => {
    const told = scene({ candidates: [A] })
    told.guard.auth.decline('p')
    const outcome = await told.guard.settle(() => 'never')
    expect(outcome).toMatchObject({ status: 'suspended', class: 'auth_required', attempts: [] })
  })
})

describe('generations', () => {
  test('a late refusal marks nothing and prompts nothing: the call selects again', async () => {
    const told = scene({ candidates: [A] })
    const { call: refused } = scriptedProducer({ a: [refusal, { value: 'ok' }] }, told)
    let late: (error: unknown) => void = () => undefined
    const slow = told.guard.execute(({ number }) =>
      number === 1
        ? new Promise<string>((_, reject) => {
            late = reject
          })
        : 'slow but served',
    )
    const first = told.guard.execute(refused)
    await turn()
    told.guard.auth.resolve('p')
    expect(await told.clock.run(first)).toBe('ok')
    late(producedError('auth_required'))
    expect(await told.clock.run(slow)).toBe('slow but served')
    expect(told.of('auth_prompt')).toHaveLength(1)
    expect(told.guard.auth.pending()).toEqual([])
  })

  test('each resolve starts one', async () => {
    const told = scene({ candidates: [A] })
    told.guard.auth.resolve('p')
    told.guard.auth.resolve('p')
    expect(told.of('auth_resolved').map(({ generation }) => generation)).toEqual([1, 2])
  })
})

describe('the strategies', () => {
  test('advanceThenPause goes on with another provider, prompts, and pauses when none is left', async () => {
    const told = scene({ candidates: [A, B], auth: advanceThenPause })
    const { call, invocations } = scriptedProducer({ a: [refusal, { value: 'a' }], b: [{ value: 'b' }, refusal] }, told)
    expect(await told.guard.execute(call)).toBe('b')
    expect(told.of('auth_prompt')).toHaveLength(1)
    const work = told.guard.execute(call)
    await told.clock.advance(1_000)
    expect(told.of('pause')).toHaveLength(1)
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['a', 'b', 'b'])
    told.guard.auth.resolve('p')
    told.guard.auth.resolve('q')
    expect(await told.clock.run(work)).toBe('a')
  })

  test('surface ends the call at once', async () => {
    const told = scene({ candidates: [A, B], auth: surface })
    const { call, invocations } = scriptedProducer({ a: [refusal] }, told)
    expect(await told.guard.settle(call)).toMatchObject({ status: 'suspended', class: 'auth_required' })
    expect(invocations).toHaveLength(1)
    expect(told.of('auth_prompt')).toHaveLength(1)
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('x')
      },
    ],
    ['answers nonsense', () => 'later' as never],
  ])('one that %s pauses', async (_name, auth) => {
    const told = scene({ candidates: [A, B], auth })
    const work = told.guard.execute(scriptedProducer({ a: [refusal, { value: 'a' }] }, told).call)
    await told.clock.advance(1_000)
    expect(told.of('pause')).toHaveLength(1)
    told.guard.auth.resolve('p')
    expect(await told.clock.run(work)).toBe('a')
  })

  test('candidates of the same provider are not tried while it is blocked', async () => {
    const told = scene({
      candidates: [A, { id: 'a2', provider: 'p' }, B],
      auth: advanceThenPause,
    })
    const { call, invocations } = scriptedProducer({ a: [refusal] }, told)
    expect(await told.guard.execute(call)).toBe('b')
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['a', 'b'])
  })
})
