import { describe, expect, test } from 'vitest'
import type { BreakerCounter, BreakerStrategy } from '../../../src/core/strategy.ts'
import { breakerConformance } from '../../../src/testing/conformance/breaker.ts'
import { failingCases } from './failing-cases.ts'

const COOLS = 'cools for finite milliseconds, more than 0'
const OPENS = 'opens under failures only'
const NOT_FOR_SUCCESSES = 'never opens for successes'
const APART = 'counts each candidate apart'
const PROBE_FAILS = 'opens again when the probe fails'
const PROBE_SUCCEEDS = 'closes when the probe succeeds'
const ALL_COUNTED = [OPENS, NOT_FOR_SUCCESSES, APART, PROBE_FAILS, PROBE_SUCCEEDS]

/** A counter in a row whose parts can be broken one at a time. */
function inARow(parts: (count: { value: number }) => Partial<BreakerCounter>, coolMs = 1_000): BreakerStrategy {
  return {
    coolMs,
    counter: () => {
      const count = { value: 0 }
      const success = (): void => {
        count.value = 0
      }
      return { success, failure: () => ++count.value >= 5, ...parts(count) }
    },
  }
}

describe('breakerConformance', () => {
  const shared = inARow(() => ({})).counter()
  const broken: readonly (readonly [string, BreakerStrategy, readonly string[]])[] = [
    ['cools for no time', inARow(() => ({}), 0), [COOLS]],
    ['cools for ever', inARow(() => ({}), Number.POSITIVE_INFINITY), [COOLS]],
    ['never opens', inARow(() => ({ failure: () => false })), ALL_COUNTED],
    ['answers nothing', inARow(() => ({ failure: () => undefined as never })), ALL_COUNTED],
    [
      'counts successes as failures',
      inARow((count) => ({ success: () => void count.value++ })),
      [NOT_FOR_SUCCESSES, PROBE_SUCCEEDS],
    ],
    ['shares one counter', { coolMs: 1_000, counter: () => shared }, [APART]],
    ['answers true only once', inARow((count) => ({ failure: () => ++count.value === 5 })), [PROBE_FAILS]],
    ['starts anew once open', inARow((count) => ({ failure: () => ++count.value % 5 === 0 })), [PROBE_FAILS]],
    ['never closes', inARow(() => ({ success: () => {} })), [PROBE_SUCCEEDS]],
  ]

  test.each(broken)('catches one that %s', (_fault, breaker, caught) => {
    expect(failingCases(breakerConformance(breaker))).toEqual(caught)
  })

  test('accepts a sound counter', () => {
    expect(failingCases(breakerConformance(inARow(() => ({}))))).toEqual([])
  })
})
