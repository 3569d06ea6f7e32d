import { constant } from 'heed/strategies/backoff/constant'
import { describe, expect, test } from 'vitest'
import { backoffConformance } from '../../../src/testing/conformance/backoff.ts'

describe('constant', () => {
  for (const { name, run } of backoffConformance(constant(250))) test(name, run)

  test.each([0, 0.5, 250, 2 ** 40])('%d ms stay the same', (delayMs) => {
    const backoff = constant(delayMs)
    expect(backoff({ repeat: 1, random: 0 })).toBe(delayMs)
    expect(backoff({ repeat: 9_999, random: 0.99, previousDelayMs: 7 })).toBe(delayMs)
  })

  test.each([
    [Number.NaN, 'constant: delayMs is NaN; give milliseconds, 0 or more'],
    [-1, 'constant: delayMs is -1; give milliseconds, 0 or more'],
    [Number.POSITIVE_INFINITY, 'constant: delayMs is Infinity; give milliseconds, 0 or more'],
    [undefined, 'constant: delayMs is undefined; give milliseconds, 0 or more'],
    ['250', 'constant: delayMs is 250; give milliseconds, 0 or more'],
  ])('refuses %s', (delayMs, message) => {
    expect(() => constant(delayMs as never)).toThrow(new TypeError(message))
  })
})
