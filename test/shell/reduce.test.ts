import type { ReduceContext } from 'heed'
import { producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { outcomeOf, scene } from './scene.ts'

const SMALL = { id: 'small', provider: 'p', contextWindow: 100 } as const
const LARGE = { id: 'large', provider: 'q', contextWindow: 1_000 } as const
const UNKNOWN = { id: 'unknown', provider: 'r' } as const
const overflow = { error: producedError('context_overflow') }

describe('reduce', () => {
  test('the reduced input goes to the candidate that overflowed, with a new idempotency key', async () => {
    const told = scene({ candidates: [SMALL] })
    const seen: { input: string; key: string; number: number; targetAttempt: number }[] = []
    const contexts: ReduceContext<typeof SMALL>[] = []
    const value = await told.guard.execute(
      ({ input, idempotencyKey, number, targetAttempt }) => {
        seen.push({ input, key: idempotencyKey, number, targetAttempt })
        if (input.length > 3) throw producedError('context_overflow')
        return input
      },
      {
        input: 'abcdef',
        reduce: (input, context) => {
          contexts.push(context)
          return input.slice(0, 3)
        },
      },
    )
    expect(value).toBe('abc')
    expect(seen.map(({ input }) => input)).toEqual(['abcdef', 'abc'])
    expect(seen[0]?.key).not.toBe(seen[1]?.key)
    // Its attempts start again.
    expect(seen.map(({ number, targetAttempt }) => [number, targetAttempt])).toEqual([
      [1, 1],
      [2, 1],
    ])
    expect(contexts).toHaveLength(1)
    expect(contexts[0]?.candidate).toBe(SMALL)
    expect(contexts[0]?.attempt).toBe(1)
    expect(contexts[0]?.classification).toMatchObject({ class: 'context_overflow' })
    expect(told.clock.now()).toBe(0)
    expect(told.of('reduce')).toMatchObject([{ reduction: 1, candidate: 'small' }])
  })

  test('a larger window comes first, and then the largest is what is reduced for', async () => {
    const told = scene({ candidates: [SMALL, LARGE] })
    const { call, invocations } = scriptedProducer({ small: [overflow], large: [overflow, { value: 'ok' }] }, told)
    const candidates: string[] = []
    const value = await told.guard.execute(call, {
      input: 2,
      reduce: (input, { candidate }) => {
        candidates.push(candidate.id)
        return input - 1
      },
    })
    expect(value).toBe('ok')
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['small', 'large', 'large'])
    expect(candidates).toEqual(['large'])
  })

  test.each([
    ['nothing', () => undefined],
    ['the same input', (input: object) => input],
    ['a promise of nothing', async () => undefined],
  ])('%s gives up', async (_name, reduce) => {
    const told = scene({ candidates: [SMALL] })
    const { call, invocations } = scriptedProducer({ small: [overflow] }, told)
    const settled = await outcomeOf(told.guard.execute(call, { input: { text: 'x' }, reduce: reduce as never }))
    expect(settled).toMatchObject({
      error: { reason: 'context_overflow', class: 'context_overflow', cause: overflow.error },
    })
    expect(invocations).toHaveLength(1)
  })

  test.each([
    [
      'throws',
      (error: Error) => () => {
        throw error
      },
    ],
    ['rejects', (error: Error) => () => Promise.reject(error)],
  ])('one that %s is the cause', async (_name, make) => {
    const told = scene({ candidates: [SMALL] })
    const error = new Error('no summary today')
    const { call } = scriptedProducer({ small: [overflow] }, told)
    const settled = await outcomeOf(told.guard.execute(call, { input: 'x', reduce: make(error) }))
    expect(settled).toMatchObject({ error: { reason: 'context_overflow', class: 'context_overflow' } })
    expect((settled as { error: Error }).error.cause).toBe(error)
  })

  test('at most three times, with a key for each input', async () => {
    const told = scene({ candidates: [SMALL] })
    const keys: string[] = []
    const settled = await outcomeOf(
      told.guard.execute(
        ({ idempotencyKey }) => {
          keys.push(idempotencyKey)
          throw producedError('context_overflow')
        },
        { input: 100, reduce: (input) => input - 1 },
      ),
    )
    expect(settled).toMatchObject({ error: { reason: 'context_overflow' } })
    expect(new Set(keys).size).toBe(4)
    expect(keys).toHaveLength(4)
  })

  test('attempts.reduce: 0 never asks', async () => {
    const told = scene({ candidates: [SMALL], attempts: { reduce: 0 } })
    const { call } = scriptedProducer({ small: [overflow] }, told)
    let asked = 0
    await told.guard.settle(call, { input: 1, reduce: () => (asked += 1) })
    expect(asked).toBe(0)
  })

  test('the key is the same for all attempts with the same input', async () => {
    const told = scene({ candidates: [SMALL, LARGE] })
    const keys: string[] = []
    const ids: string[] = []
    await told.clock.run(
      told.guard.settle(({ idempotencyKey, callId, number }) => {
        keys.push(idempotencyKey)
        ids.push(callId)
        if (number < 4) throw producedError('transient')
        return 'x'
      }),
    )
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(1)
    expect(new Set(ids).size).toBe(1)
  })

  test('an overflow at an unknown window leaves only reduce', async () => {
    const told = scene({ candidates: [UNKNOWN, LARGE] })
    const { call, invocations } = scriptedProducer({ unknown: [overflow, { value: 'ok' }] }, told)
    expect(await told.guard.execute(call, { input: 2, reduce: (input) => input - 1 })).toBe('ok')
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['unknown', 'unknown'])
    const plain = scriptedProducer({ unknown: [overflow] }, told)
    expect(await outcomeOf(told.guard.execute(plain.call))).toMatchObject({ error: { reason: 'context_overflow' } })
    expect(plain.invocations).toHaveLength(1)
  })

  test('a reduction forgets the overflows: a smaller window may serve again', async () => {
    const told = scene({ candidates: [SMALL, LARGE] })
    const { call, invocations } = scriptedProducer(
      {
        small: [overflow, { value: 'small' }],
        large: [overflow, { error: producedError('permanent') }],
      },
      told,
    )
    expect(await told.guard.execute(call, { input: 2, reduce: (input) => input - 1 })).toBe('small')
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['small', 'large', 'large', 'small'])
  })

  test('every window known to be too small: reduced before anything is sent', async () => {
    const told = scene({ candidates: [SMALL] })
    const { call, invocations } = scriptedProducer({}, told)
    const attempts: number[] = []
    const value = await told.guard.execute(call, {
      inputTokens: 500,
      input: 2,
      reduce: (input, { attempt }) => {
        attempts.push(attempt)
        return input - 1
      },
    })
    expect(value).toBe('small')
    expect(invocations).toHaveLength(1)
    expect(attempts).toEqual([0])
  })

  test('windows known to be too small are skipped on any fallback', async () => {
    const told = scene({ candidates: [LARGE, SMALL, UNKNOWN] })
    const { call, invocations } = scriptedProducer({ large: [{ error: producedError('permanent') }] }, told)
    expect(await told.guard.execute(call, { inputTokens: 500 })).toBe('unknown')
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['large', 'unknown'])
  })

  test('an abort while it runs settles at once', async () => {
    const told = scene({ candidates: [SMALL] })
    const controller = new AbortController()
    const { call, invocations } = scriptedProducer({ small: [overflow] }, told)
    let finish: (value: number) => void = () => undefined
    const settled = outcomeOf(
      told.guard.execute(call, {
        input: 1,
        abortSignal: controller.signal,
        reduce: () =>
          new Promise<number>((resolve) => {
            finish = resolve
          }),
      }),
    )
    await told.clock.advance(0)
    controller.abort('enough')
    expect(await settled).toEqual({ error: 'enough' })
    finish(0)
    await told.clock.advance(60_000)
    expect(invocations).toHaveLength(1)
  })

  test('an overflow costs no delay, leaves no mark and no budget', async () => {
    const told = scene({ candidates: [SMALL, LARGE], budget: { start: 0, deposit: 0 } })
    const { call } = scriptedProducer(
      { small: [{ error: producedError('context_overflow', { retryAfterSecs: 60 }) }] },
      told,
    )
    expect(await told.guard.execute(call)).toBe('large')
    expect(told.guard.health.snapshot().cooling).toEqual([])
    expect(told.clock.now()).toBe(0)
  })
})
