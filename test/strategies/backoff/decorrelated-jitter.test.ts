import * as fc from 'fast-check'
import { decorrelatedJitter } from 'heed/strategies/backoff/decorrelated-jitter'
import { describe, expect, test } from 'vitest'
import { backoffConformance } from '../../../src/testing/conformance/backoff.ts'

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe('decorrelatedJitter', () => {
  for (const { name, run } of backoffConformance(decorrelatedJitter())) test(name, run)

  describe('without any limit', () => {
    const unlimited = decorrelatedJitter({ baseMs: 1e300, maxMs: Number.POSITIVE_INFINITY })
    for (const { name, run } of backoffConformance(unlimited)) test(name, run)
  })

  test.each([
    [{}, undefined, 0, 500],
    [{}, undefined, 0.5, 1_000],
    [{}, 1_000, 0.5, 1_750],
    [{}, 30_000, 0.5, 30_000],
    [{}, 30_000, 0, 500],
    [{ maxMs: 100 }, undefined, 0.5, 100],
    [{ maxMs: 0 }, 0, 0.5, 0],
    [{ baseMs: 2, maxMs: Number.POSITIVE_INFINITY }, Number.MAX_VALUE, 0, 2],
  ])('%o, previous %s, random %d: %d ms', (options, previousDelayMs, random, delayMs) => {
    const previous = previousDelayMs === undefined ? {} : { previousDelayMs }
    expect(decorrelatedJitter(options)({ repeat: 1, random, ...previous })).toBe(delayMs)
  })

  test("is the source's loop: sleep = min(cap, random between base and 3 * sleep)", () => {
    const draws = fc.array(random, { minLength: 1, maxLength: 40 })
    const ms = fc.integer({ min: 1, max: 100_000 })
    fc.assert(
      fc.property(ms, ms, draws, (baseMs, maxMs, draws) => {
        const backoff = decorrelatedJitter({ baseMs, maxMs })
        let sleep = baseMs
        let previousDelayMs: number | undefined
        draws.forEach((random, index) => {
          const low = baseMs
          const high = sleep * 3
          sleep = Math.min(maxMs, low + random * (high - low))
          const previous = previousDelayMs === undefined ? {} : { previousDelayMs }
          previousDelayMs = backoff({ repeat: index + 1, random, ...previous })
          expect(previousDelayMs).toBe(sleep)
        })
      }),
    )
  })

  test('never waits less than the base, nor more than the limit', () => {
    const ms = fc.integer({ min: 1, max: 100_000 })
    fc.assert(
      fc.property(ms, ms, fc.array(random, { minLength: 1 }), (a, b, draws) => {
        const [baseMs, maxMs] = a < b ? [a, b] : [b, a]
        const backoff = decorrelatedJitter({ baseMs, maxMs })
        let previousDelayMs = backoff({ repeat: 1, random: 0 })
        draws.forEach((random, index) => {
          previousDelayMs = backoff({ repeat: index + 2, random, previousDelayMs })
          expect(previousDelayMs).toBeGreaterThanOrEqual(baseMs)
          expect(previousDelayMs).toBeLessThanOrEqual(maxMs)
        })
      }),
    )
  })

  test.each([
    [{ baseMs: 0 }, 'decorrelatedJitter: baseMs is 0; give milliseconds, more than 0'],
    [{ baseMs: Number.NaN }, 'decorrelatedJitter: baseMs is NaN; give milliseconds, more than 0'],
    [{ baseMs: Number.POSITIVE_INFINITY }, 'decorrelatedJitter: baseMs is Infinity; give milliseconds, more than 0'],
    [{ maxMs: -1 }, 'decorrelatedJitter: maxMs is -1; give milliseconds, 0 or more, or Infinity'],
    [{ maxMs: Number.NaN }, 'decorrelatedJitter: maxMs is NaN; give milliseconds, 0 or more, or Infinity'],
    [0, 'decorrelatedJitter: 0 is no option; give baseMs or maxMs'],
    [null, 'decorrelatedJitter: null is no option; give baseMs or maxMs'],
    ['fast', 'decorrelatedJitter: fast is no option; give baseMs or maxMs'],
    [{ factor: 2 }, 'decorrelatedJitter: factor is no option; give baseMs or maxMs'],
  ])('refuses %o', (options, message) => {
    expect(() => decorrelatedJitter(options as never)).toThrow(new TypeError(message))
  })
})
