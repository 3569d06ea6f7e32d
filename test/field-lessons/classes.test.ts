import type { Producer } from 'heed'
import { producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { FALLBACK, guarded, PRIMARY, thrownBy } from './stage.ts'

describe('what the producer said', () => {
  test.each([
    ['a 500 whose body says auth_required', { status: 500, class: 'auth_required' }, 'auth_required'],
    ['a 403 around a transient server error', { status: 403, class: 'transient' }, 'transient'],
    ['a 200 that says permanent', { status: 200, class: 'permanent' }, 'permanent'],
  ])('beats the status: %s', async (_name, fields, stated) => {
    const { guard, clock } = guarded([PRIMARY], { auth: () => 'surface', attempts: { perTarget: 1 } })
    const outcome = await clock.run(guard.settle(() => Promise.reject(Object.assign(new Error('x'), fields))))
    expect(outcome).toMatchObject({ class: stated })
    expect(outcome.attempts).toHaveLength(1)
  })

  test.each([
    '429000 tokens were sent',
    'at capacity of 4290 users',
    'rate limit exceeded, please retry',
    '401 Unauthorized: bad key',
    'maximum context length is 8192 tokens',
  ])('is not guessed from a message: "%s"', async (message) => {
    const { guard, clock } = guarded([PRIMARY, FALLBACK])
    const error = Object.assign(new Error(message), { status: 429, code: 'rate_limit_exceeded' })
    const { call, invocations } = scriptedProducer({ primary: [{ error }] }, { clock })
    expect(await thrownBy(guard.execute(call))).toBe(error)
    expect(invocations).toHaveLength(1)
  })

  test("is not repeated where it may leak: an error's JSON has no text of the producer", async () => {
    const { guard, clock } = guarded([PRIMARY])
    const error = producedError('permanent', { message: 'bad key sk-123 in prompt "my secret"' })
    const { call } = scriptedProducer({ primary: [{ error }] }, { clock })
    const thrown = await thrownBy(guard.execute(call))
    expect(JSON.stringify(thrown)).not.toMatch(/sk-123|secret/)
  })
})

describe('control flow', () => {
  test('an interrupt raised inside a call reaches the caller as the same object, after one run and no wait', async () => {
    class GraphInterrupt extends Error {
      readonly interrupts = [{ value: 'approve?' }]
    }
    const { guard, clock } = guarded([PRIMARY, FALLBACK])
    const interrupt = new GraphInterrupt('paused')
    let runs = 0
    const thrown = await thrownBy(
      guard.execute(() => {
        runs += 1
        throw interrupt
      }),
    )
    expect(thrown).toBe(interrupt)
    expect(runs).toBe(1)
    expect(clock.now()).toBe(0)
  })

  test('a redirect that is no error at all passes as well', async () => {
    const { guard } = guarded([PRIMARY, FALLBACK])
    const signal = Object.freeze({ digest: 'NEXT_REDIRECT' })
    expect(await thrownBy(guard.execute(() => Promise.reject(signal)))).toBe(signal)
  })

  test('a foreign AbortError is passed through, not retried', async () => {
    const { guard } = guarded([PRIMARY, FALLBACK])
    const error = new DOMException('This operation was aborted', 'AbortError')
    let runs = 0
    expect(
      await thrownBy(
        guard.execute(() => {
          runs += 1
          throw error
        }),
      ),
    ).toBe(error)
    expect(runs).toBe(1)
  })

  test("a failure is thrown, never returned as the assistant's words", async () => {
    const { guard, clock } = guarded([PRIMARY], { auth: () => 'surface' })
    const { call } = scriptedProducer(
      { primary: [{ error: producedError('auth_required', { message: '401 bad key' }) }] },
      { clock },
    )
    expect(await thrownBy(guard.execute(call))).toMatchObject({ name: 'HeedError', class: 'auth_required' })
  })
})

describe('a bill that must be paid', () => {
  test('is not waited for: the next candidate at once, whatever hint came along', async () => {
    const { guard, clock } = guarded([PRIMARY, FALLBACK])
    const { call, invocations } = scriptedProducer(
      { primary: [{ error: producedError('permanent', { retryAfterSecs: 50 }) }] },
      { clock },
    )
    expect(await guard.execute(call)).toBe('fallback')
    expect(invocations).toHaveLength(2)
    expect(clock.now()).toBe(0)
  })

  test('is refused by one candidate alone: a request that another provider cannot read kills only that one', async () => {
    const { guard, clock } = guarded([PRIMARY, { id: 'picky', provider: 'three' }, FALLBACK])
    const { call } = scriptedProducer(
      {
        primary: [{ error: producedError('transient', { retryAfterSecs: 3_600 }) }],
        picky: [{ error: producedError('permanent') }],
      },
      { clock },
    )
    expect(await guard.execute(call)).toBe('fallback')
  })

  test('raises the alarm only when every candidate needs it', async () => {
    for (const [stated, alarms] of [
      ['permanent', 1],
      ['transient', 0],
    ] as const) {
      const { guard, clock } = guarded([PRIMARY, FALLBACK])
      let heard = 0
      guard.health.on('chain_dead', () => {
        heard += 1
      })
      const { call } = scriptedProducer(
        { primary: [{ error: producedError('permanent') }], fallback: [{ error: producedError(stated) }] },
        { clock },
      )
      await clock.run(guard.settle(call))
      expect(heard).toBe(alarms)
    }
  })
})

describe('an input that is too long', () => {
  const SMALL = { id: 'small', provider: 'one', contextWindow: 128_000 } as const
  const LARGE = { id: 'large', provider: 'two', contextWindow: 1_000_000 } as const
  const overflow = { error: producedError('context_overflow') }

  test('goes to the larger model that is configured', async () => {
    const { guard, clock } = guarded([SMALL, LARGE])
    const { call } = scriptedProducer({ small: [overflow] }, { clock })
    expect(await guard.execute(call)).toBe('large')
  })

  test('never falls back to a smaller or an equal one', async () => {
    const { guard, clock } = guarded([LARGE, { ...SMALL, id: 'smaller' }, { ...LARGE, id: 'equal' }])
    const { call, invocations } = scriptedProducer({ large: [overflow] }, { clock })
    expect(await thrownBy(guard.execute(call))).toMatchObject({ class: 'context_overflow' })
    expect(invocations).toHaveLength(1)
  })

  test('does not land on a window known to be too small when the large one is limited', async () => {
    const { guard, clock } = guarded([LARGE, SMALL])
    const { call, invocations } = scriptedProducer(
      { large: [{ error: producedError('transient', { retryAfterSecs: 20 }) }, { value: 'large' }] },
      { clock },
    )
    expect(await clock.run(guard.execute(call, { inputTokens: 500_000 }))).toBe('large')
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['large', 'large'])
  })

  test('does not cool the model down for everybody else', async () => {
    const { guard, clock } = guarded([SMALL, LARGE])
    const { call, invocations } = scriptedProducer({ small: [overflow, { value: 'small' }] }, { clock })
    await guard.execute(call)
    expect(await guard.execute(call)).toBe('small')
    expect(invocations).toHaveLength(3)
  })
})

describe('a login that expired', () => {
  test('in the middle of a run is asked for once, and the same call goes on', async () => {
    const { guard, clock } = guarded([PRIMARY])
    let token = 'old'
    const prompts: string[] = []
    guard.health.on('auth_prompt', ({ provider }) => prompts.push(provider))
    const used: string[] = []
    const work = Array.from({ length: 72 }, () =>
      guard.execute(() => {
        used.push(token)
        if (token === 'old') throw producedError('auth_required')
        return token
      }),
    )
    await clock.advance(30_000)
    expect(prompts).toEqual(['one'])
    token = 'new'
    guard.auth.resolve('one')
    expect(await clock.run(Promise.all(work))).toEqual(Array.from({ length: 72 }, () => 'new'))
    expect(prompts).toEqual(['one'])
  })

  test('and is never renewed does not hang the call for ever', async () => {
    const { guard, clock } = guarded([PRIMARY])
    const outcome = await clock.run(guard.settle(() => Promise.reject(producedError('auth_required'))))
    expect(outcome).toMatchObject({ status: 'suspended' })
    expect(clock.now()).toBe(300_000)
    expect(clock.pendingTimers).toBe(0)
  })

  test('is no rate limit: the key is not tried again after a minute, nor by the other models that share it', async () => {
    const { guard, clock } = guarded([PRIMARY, { id: 'sibling', provider: 'one' }, FALLBACK], { auth: () => 'advance' })
    const { call, invocations } = scriptedProducer({ primary: [{ error: producedError('auth_required') }] }, { clock })
    await guard.execute(call)
    await clock.advance(10 * 60_000)
    await guard.execute(call)
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['primary', 'fallback', 'fallback'])
  })

  test('does not burn the budget of retries', async () => {
    const { guard, clock } = guarded([PRIMARY], { budget: { start: 0, deposit: 0 } })
    const { call } = scriptedProducer(
      { primary: [{ error: producedError('auth_required') }, { value: 'ok' }] },
      { clock },
    )
    const work = guard.execute(call)
    await clock.advance(1_000)
    guard.auth.resolve('one')
    expect(await clock.run(work)).toBe('ok')
  })
})

describe('a request that may have been carried out', () => {
  const lost: Producer = {
    classify: (raw) =>
      (raw as { code?: string }).code === 'ECONNRESET' ? { class: undefined, ambiguous: true } : undefined,
  }

  test('is not sent again: the tool that charged the card runs once', async () => {
    const { guard, clock } = guarded([PRIMARY, FALLBACK], { producer: lost })
    const error = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    const { call, invocations } = scriptedProducer({ primary: [{ error }] }, { clock })
    expect(await thrownBy(guard.execute(call))).toBe(error)
    expect(invocations).toHaveLength(1)
  })

  test('is sent again where the caller says that it may be, with the same key', async () => {
    const { guard, clock } = guarded([PRIMARY], { producer: lost })
    const error = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    const keys: string[] = []
    const value = await clock.run(
      guard.execute(
        ({ number, idempotencyKey }) => {
          keys.push(idempotencyKey)
          if (number === 1) throw error
          return 'ok'
        },
        { idempotent: true },
      ),
    )
    expect(value).toBe('ok')
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(2)
  })
})
