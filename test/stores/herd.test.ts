import assert from 'node:assert/strict'
import { createHealth, heed } from 'heed'
import { fakeClock, memoryStore, producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, fleet, type Member } from './fleet.ts'

const PROCESSES = 50
const SPREAD_MS = 1_000

/** The most calls in any twentieth of the time over which they are to be spread; evenly it were three. */
const busiest = (at: readonly number[], startMs: number): number =>
  Math.max(
    ...Array.from({ length: 20 }, (_, part) => {
      const fromMs = startMs + (part * SPREAD_MS) / 20
      return at.filter((ms) => ms >= fromMs && ms < fromMs + SPREAD_MS / 20).length
    }),
  )

describe('many processes with one waiting call each', () => {
  test('after a resolution one goes first, and the others follow spread over a second', async () => {
    const { clock, join } = fleet()
    const members = Array.from({ length: PROCESSES }, () => join())
    const { call, invocations } = scriptedProducer(
      { a: [{ error: producedError('auth_required') }, { value: 'served' }] },
      { clock },
    )
    const first = (members[0] as Member).guard.execute(call)
    await clock.advance(1)
    const rest = members.slice(1).map(({ guard }) => guard.execute(call))
    await clock.advance(1_000)
    const resolvedMs = clock.now()
    ;(members[0] as Member).guard.auth.resolve('p')
    await clock.run(Promise.all([first, ...rest]))
    const at = invocations.slice(1).map((each) => each.at)
    expect(at).toHaveLength(PROCESSES)
    expect(at.filter((ms) => ms === resolvedMs)).toHaveLength(1)
    expect(Math.max(...at)).toBeLessThan(resolvedMs + SPREAD_MS)
    expect(busiest(at, resolvedMs)).toBeLessThanOrEqual(5)
  })

  test('after a probe has served, all others follow spread over a second', async () => {
    const { clock, join } = fleet({ candidates: [A] })
    const members = Array.from({ length: PROCESSES }, () => join())
    const { call, invocations } = scriptedProducer(
      { a: [{ error: producedError('transient', { retryAfterSecs: 10 }) }, { value: 'a', afterMs: 500 }] },
      { clock },
    )
    const first = (members[0] as Member).guard.execute(call)
    await clock.advance(1)
    const rest = members.slice(1).map(({ guard }) => guard.execute(call))
    const startMs = invocations[0]?.at ?? Number.NaN
    await clock.run(Promise.all([first, ...rest]))
    const [, probe, ...others] = invocations.map((each) => each.at - startMs)
    expect(probe).toBe(10_000)
    expect(others).toHaveLength(PROCESSES - 1)
    expect(Math.min(...others)).toBeGreaterThanOrEqual(10_500)
    expect(Math.max(...others)).toBeLessThan(10_500 + SPREAD_MS)
    expect(busiest(others, 10_500)).toBeLessThanOrEqual(5)
  })

  test('after a no there is nobody to spare: all go on at once', async () => {
    const { clock, join } = fleet({ candidates: [A, { id: 'b', provider: 'q' }] })
    const members = Array.from({ length: PROCESSES }, () => join())
    const { call } = scriptedProducer(
      { a: [{ error: producedError('auth_required') }], b: [{ value: 'b' }] },
      { clock },
    )
    const calls = members.map(({ guard }) => guard.execute(call))
    await clock.advance(1_000)
    const declinedMs = clock.now()
    ;(members[0] as Member).guard.auth.decline('p')
    await clock.run(Promise.all(calls))
    expect(clock.now()).toBe(declinedMs)
  })
})

test('a random source that throws, or answers no fraction, spreads nothing and loses nobody', async () => {
  for (const random of [() => Number.NaN, () => 7, (): never => assert.fail('out of luck')]) {
    const clock = fakeClock()
    const store = memoryStore({ clock })
    const [one, other] = [createHealth({ store, clock, random }), createHealth({ store, clock, random })]
    const { call } = scriptedProducer(
      { a: [{ error: producedError('auth_required') }, { value: 'served' }] },
      { clock },
    )
    const waiting = heed({ candidates: [A], clock, health: one }).execute(call)
    await clock.advance(1)
    heed({ candidates: [A], clock, health: other }).auth.resolve('p')
    expect(await clock.run(waiting)).toBe('served')
    await Promise.all([one.close(), other.close()])
  }
})
