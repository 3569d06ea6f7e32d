import { describe, expect, test } from 'vitest'
import type { UnknownStrategy } from '../../../src/core/strategy.ts'
import { unknownConformance } from '../../../src/testing/conformance/unknown.ts'
import { failingCases } from './failing-cases.ts'

const VALID = 'answers undefined or a classification, whatever was thrown'
const AMBIGUOUS = 'never drops ambiguous'
const EXHAUSTED = 'never drops exhausted'
const HINT = 'never shortens a hint of what it calls transient'
const PURE = 'answers the same for the same failure'
const ALL = [VALID, AMBIGUOUS, EXHAUSTED, HINT, PURE]

describe('unknownConformance', () => {
  let calls = 0
  const broken: readonly (readonly [string, UnknownStrategy, readonly string[]])[] = [
    ['makes a classification of its own', () => ({ class: 'permanent' }), [AMBIGUOUS, EXHAUSTED]],
    ['denies ambiguous', (_error, given) => ({ ...given, ambiguous: false }), [AMBIGUOUS]],
    ['forgets exhausted', (_error, { exhausted: _, ...rest }) => rest, [EXHAUSTED]],
    ['comes back sooner', (_error, given) => ({ ...given, class: 'transient', retryAfterSecs: 1 }), [HINT]],
    ['answers null', () => null as never, [VALID, AMBIGUOUS, EXHAUSTED, HINT]],
    ['answers a class alone', () => 'transient' as never, [VALID, AMBIGUOUS, EXHAUSTED]],
    ['answers a number as class', (_error, given) => ({ ...given, class: 503 as never }), [VALID]],
    ['answers a malformed hint', (_error, given) => ({ ...given, retryAfterSecs: Number.NaN }), [VALID]],
    ['answers another scope', (_error, given) => ({ ...given, scope: 'region' as never }), [VALID]],
    ['keeps state', (_error, given) => (calls++ % 2 === 0 ? given : undefined), [PURE]],
    ['writes to the classification', (_error, given) => Object.assign(given, { class: 'transient' }), ALL],
    ['reads the message of null', (error, given) => ((error as Error).message === '' ? given : undefined), ALL],
    ['reads a getter that throws', (error, given) => ((error as Error | null)?.name === '' ? given : undefined), ALL],
    ['serializes a cycle', (error) => void JSON.stringify(typeof error === 'object' ? error : 0), ALL],
  ]

  test.each(broken)('catches one that %s', (_fault, unknown, caught) => {
    expect(failingCases(unknownConformance(unknown))).toEqual(caught)
  })
})
