import { describe, expect, test } from 'vitest'
import type { Backoff } from '../../../src/core/strategy.ts'
import { backoffConformance } from '../../../src/testing/conformance/backoff.ts'
import { failingCases } from './failing-cases.ts'

const FINITE = 'answers finite milliseconds, 0 or more, for repeats 1 to 10000'
const ANY_PREVIOUS = 'answers finite milliseconds, 0 or more, whatever the delay before was'
const FED = 'stays finite when fed its own delays'
const PURE = 'answers the same for the same context, in any order'

describe('backoffConformance', () => {
  let calls = 0
  const broken: readonly (readonly [string, Backoff, readonly string[]])[] = [
    ['overflows', ({ repeat }) => 2 ** repeat, [FINITE, FED]],
    ['is NaN once the power overflows', ({ repeat, random }) => random * 0 * 2 ** repeat, [FINITE, FED]],
    ['is negative at random 0', ({ random }) => random - 0.001, [FINITE, ANY_PREVIOUS, FED, PURE]],
    [
      'is out of bounds just below random 1',
      ({ random }) => 1 / (random > 0.999 ? 0 : 1),
      [FINITE, ANY_PREVIOUS, FED, PURE],
    ],
    [
      'overflows on a huge delay before',
      ({ previousDelayMs = 1 }) => Math.min(previousDelayMs * 3, 1e308) * 10,
      [ANY_PREVIOUS, FED],
    ],
    ['divides by the delay before', ({ previousDelayMs = 1 }) => 1 / previousDelayMs, [ANY_PREVIOUS]],
    ['uses Math.random', () => Math.random(), [PURE]],
    ['keeps state', () => ++calls, [PURE]],
    ['answers a string', () => '500' as never, [FINITE, ANY_PREVIOUS, FED, PURE]],
    ['answers a promise', () => Promise.resolve(500) as never, [FINITE, ANY_PREVIOUS, FED, PURE]],
    [
      'writes to its context',
      (context) => ((context as { repeat: number }).repeat = 1),
      [FINITE, ANY_PREVIOUS, FED, PURE],
    ],
  ]

  test.each(broken)('catches one that %s', (_fault, backoff, caught) => {
    expect(failingCases(backoffConformance(backoff))).toEqual(caught)
  })

  test('says what was asked, what was answered and what to answer', () => {
    const [first] = backoffConformance(() => Number.NaN)
    expect(() => first?.run()).toThrow(
      'backoff({"repeat":1,"random":0}) answered NaN; answer finite milliseconds, 0 or more',
    )
  })
})
