import type { Classification } from 'heed'
import { treatAs } from 'heed/strategies/unknown/treat-as'
import { producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, outcomeOf, scene } from './scene.ts'

describe.each([
  ['unknown', producedError('quota_of_mars'), 'unknown_class'],
  ['unclassified', new Error('socket hang up'), 'unclassified'],
] as const)('the strategy %s', (slot, error, reason) => {
  test('by default the same object surfaces after one attempt, with no mark and no delay', async () => {
    const told = scene({ candidates: [A, B] })
    const { call, invocations } = scriptedProducer({ a: [{ error }] }, told)
    const settled = await outcomeOf(told.guard.execute(call))
    expect((settled as { error: unknown }).error).toBe(error)
    expect(invocations).toHaveLength(1)
    expect(told.of('passthrough')).toMatchObject([{ reason, candidate: 'a' }])
    expect(told.of('surface')).toMatchObject([{ reason }])
    expect(told.guard.health.snapshot()).toMatchObject({ cooling: [], providers: [] })
  })

  test.each([
    ['a frozen object', Object.freeze({ class: slot === 'unknown' ? 'quota_of_mars' : undefined })],
    ['a frozen error', Object.freeze(Object.assign(new Error('x'), slot === 'unknown' ? { class: 'mars' } : {}))],
    ['a function', Object.assign(() => undefined, slot === 'unknown' ? { class: 'mars' } : {})],
  ])('%s surfaces as the same object too', async (_name, thrown) => {
    const told = scene({ candidates: [A, B] })
    const settled = await outcomeOf(told.guard.execute(() => Promise.reject(thrown)))
    expect((settled as { error: unknown }).error).toBe(thrown)
  })

  test('may map it, and is given the error and what is known', async () => {
    const given: unknown[] = []
    const told = scene({
      candidates: [A, B],
      [slot]: (thrown: unknown, classification: Classification) => {
        given.push(thrown, classification.class)
        return { class: 'permanent' }
      },
    })
    expect(await told.guard.execute(scriptedProducer({ a: [{ error }] }, told).call)).toBe('b')
    expect(given).toEqual([error, slot === 'unknown' ? 'quota_of_mars' : undefined])
    expect(told.of('passthrough')).toEqual([])
  })

  test('treatAs maps it', async () => {
    const told = scene({ candidates: [A], [slot]: treatAs('transient', { retryAfterSecs: 3 }) })
    const { call, invocations } = scriptedProducer({ a: [{ error }, { value: 'ok' }] }, told)
    expect(await told.clock.run(told.guard.execute(call))).toBe('ok')
    expect(invocations[1]?.at).toBe(3_000)
  })

  test('one that throws is reported and passes through', async () => {
    const told = scene({
      candidates: [A, B],
      [slot]: () => {
        throw new Error('the strategy')
      },
    })
    expect(await outcomeOf(told.guard.execute(scriptedProducer({ a: [{ error }] }, told).call))).toEqual({ error })
    expect(told.of('malformed')).toMatchObject([{ source: 'strategy', field: slot, fault: 'threw' }])
  })

  test.each([
    ['a string', 'transient'],
    ['a number', 7],
    ['true', true],
    ['a class that is no string', { class: 7 }],
    ['a promise', Promise.resolve({ class: 7 })],
    ['null', null],
  ])('one that answers %s passes through', async (_name, answer) => {
    const told = scene({ candidates: [A, B], [slot]: () => answer as never })
    const { call, invocations } = scriptedProducer({ a: [{ error }] }, told)
    expect(await outcomeOf(told.guard.execute(call))).toEqual({ error })
    expect(invocations).toHaveLength(1)
  })

  test('one that answers another unknown string passes through, with that string', async () => {
    const told = scene({ candidates: [A, B], [slot]: () => ({ class: 'venus' }) })
    expect(await outcomeOf(told.guard.execute(scriptedProducer({ a: [{ error }] }, told).call))).toEqual({ error })
    expect(told.of('surface')).toMatchObject([{ reason: 'unknown_class', class: 'venus' }])
  })

  test('a malformed hint in its answer is dropped and reported', async () => {
    const told = scene({ candidates: [A], [slot]: () => ({ class: 'transient', retryAfterSecs: -5 }) })
    const { call, invocations } = scriptedProducer({ a: [{ error }, { value: 'ok' }] }, told)
    expect(await told.clock.run(told.guard.execute(call))).toBe('ok')
    expect(invocations[1]?.at).toBe(100)
    expect(told.of('malformed')).toMatchObject([{ source: 'strategy', fault: 'negative' }])
  })

  test('cannot make an ambiguous failure one that is sent again', async () => {
    const told = scene({
      candidates: [A, B],
      producer: { classify: () => ({ class: undefined, ambiguous: true }) },
      [slot]: () => ({ class: 'transient' }),
    })
    const { call, invocations } = scriptedProducer({ a: [{ error }] }, told)
    expect(await outcomeOf(told.guard.execute(call))).toEqual({ error })
    expect(invocations).toHaveLength(1)
  })

  test('is not asked about a class of the set', async () => {
    let asked = 0
    const told = scene({
      candidates: [A, B],
      [slot]: () => {
        asked += 1
        return undefined
      },
    })
    await told.guard.execute(scriptedProducer({ a: [{ error: producedError('permanent') }] }, told).call)
    expect(asked).toBe(0)
  })
})
