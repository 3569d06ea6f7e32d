import { describe, expect, test } from 'vitest'
import type { OverflowStrategy } from '../../../src/core/strategy.ts'
import { overflowConformance } from '../../../src/testing/conformance/overflow.ts'
import { failingCases } from './failing-cases.ts'

const KNOWN = "answers an eligible candidate's id, 'reduce', 'surface' or undefined"
const REDUCE = "answers 'reduce' only when the input can be reduced"
const FITS = 'chooses no window that inputTokens exceeds'
const PURE = 'answers the same for the same context, in any order'

describe('overflowConformance', () => {
  let calls = 0
  const broken: readonly (readonly [string, OverflowStrategy, readonly string[]])[] = [
    ['goes back to the failed candidate', ({ failed }) => failed.id, [KNOWN]],
    ['names a candidate that is not eligible', () => 'large', [KNOWN, FITS]],
    ['answers null', () => null as never, [KNOWN]],
    ['answers the window instead of its id', ({ eligible }) => eligible[0] as never, [KNOWN]],
    ['always reduces', () => 'reduce', [REDUCE]],
    ['ignores inputTokens', ({ eligible }) => eligible.at(-1)?.id, [FITS]],
    ['keeps state', ({ canReduce }) => (canReduce && calls++ % 5 === 0 ? 'reduce' : undefined), [PURE]],
    [
      'sorts the list it was given',
      ({ eligible }) => (eligible as { id: string }[]).sort((a, b) => a.id.localeCompare(b.id))[0]?.id,
      [KNOWN, REDUCE, FITS, PURE],
    ],
  ]

  test.each(broken)('catches one that %s', (_fault, overflow, caught) => {
    expect(failingCases(overflowConformance(overflow))).toEqual(caught)
  })
})
