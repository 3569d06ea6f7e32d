import * as fc from 'fast-check'
import { consecutive } from 'heed/strategies/breaker/consecutive'
import { describe, expect, test } from 'vitest'
import { breakerConformance } from '../../../src/testing/conformance/breaker.ts'

describe.each([1, 2, 3, 5, 1_000])('consecutive, threshold %d', (threshold) => {
  for (const { name, run } of breakerConformance(consecutive({ threshold }))) test(name, run)
})

describe('consecutive', () => {
  test('opens at the fifth failure in a row and cools for 30 s, by default', () => {
    const breaker = consecutive()
    const counter = breaker.counter()
    expect([1, 2, 3, 4, 5, 6].map(() => counter.failure())).toEqual([false, false, false, false, true, true])
    expect(breaker.coolMs).toBe(30_000)
    expect(consecutive({ coolMs: 7 }).coolMs).toBe(7)
  })

  test('is open exactly when the last outcomes, threshold of them, all failed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(fc.boolean(), { maxLength: 60 }), (threshold, outcomes) => {
        const counter = consecutive({ threshold }).counter()
        outcomes.forEach((success, index) => {
          if (success) counter.success()
          else {
            const last = outcomes.slice(Math.max(0, index + 1 - threshold), index + 1)
            expect(counter.failure()).toBe(last.length === threshold && !last.includes(true))
          }
        })
      }),
    )
  })

  test.each([
    [{ threshold: 0 }, 'consecutive: threshold is 0; give a whole number, 1 or more'],
    [{ threshold: 1.5 }, 'consecutive: threshold is 1.5; give a whole number, 1 or more'],
    [{ threshold: Number.NaN }, 'consecutive: threshold is NaN; give a whole number, 1 or more'],
    [{ coolMs: 0 }, 'consecutive: coolMs is 0; give milliseconds, more than 0'],
    [{ coolMs: Number.POSITIVE_INFINITY }, 'consecutive: coolMs is Infinity; give milliseconds, more than 0'],
    [0, 'consecutive: 0 is no option; give threshold or coolMs'],
    [null, 'consecutive: null is no option; give threshold or coolMs'],
    ['fast', 'consecutive: fast is no option; give threshold or coolMs'],
    [{ halfOpenAfter: 5 }, 'consecutive: halfOpenAfter is no option; give threshold or coolMs'],
  ])('refuses %o', (options, message) => {
    expect(() => consecutive(options as never)).toThrow(new TypeError(message))
  })
})
