import * as fc from 'fast-check'
import { largerWindow } from 'heed/strategies/overflow/larger-window'
import { reduceFirst } from 'heed/strategies/overflow/reduce-first'
import { surface } from 'heed/strategies/overflow/surface'
import { describe, expect, test } from 'vitest'
import type { Window } from '../../../src/core/strategy.ts'
import { overflowConformance } from '../../../src/testing/conformance/overflow.ts'

const failed: Window = { id: 'small', contextWindow: 8_000 }
const mid: Window = { id: 'mid', contextWindow: 32_000 }
const large: Window = { id: 'large', contextWindow: 1_000_000 }
const unsized: Window = { id: 'unsized' }

describe.each([
  ['largerWindow', largerWindow],
  ['reduceFirst', reduceFirst],
  ['surface', surface],
])('%s', (_name, overflow) => {
  for (const { name, run } of overflowConformance(overflow)) test(name, run)
})

test.each<readonly [readonly Window[], number | undefined, boolean, string | undefined, string | undefined]>([
  // eligible, inputTokens, canReduce, largerWindow, reduceFirst
  [[], undefined, false, undefined, undefined],
  [[], undefined, true, 'reduce', 'reduce'],
  [[mid, large], undefined, false, 'mid', 'mid'],
  [[mid, large], undefined, true, 'mid', 'reduce'],
  [[large, mid], 9_000, false, 'large', 'large'],
  [[mid, large], 32_000, false, 'mid', 'mid'],
  [[mid, large], 32_001, true, 'large', 'reduce'],
  [[mid], 32_001, true, 'reduce', 'reduce'],
  [[mid], 32_001, false, undefined, undefined],
  [[unsized, large], 9_000, false, 'large', 'large'],
  [[mid], 0, false, 'mid', 'mid'],
])('%o for %s tokens, canReduce %s: largerWindow %s, reduceFirst %s', (eligible, tokens, canReduce, larger, reduce) => {
  const context = { failed, eligible, canReduce, ...(tokens === undefined ? {} : { inputTokens: tokens }) }
  expect(largerWindow(context)).toBe(larger)
  expect(reduceFirst(context)).toBe(reduce)
  expect(surface(context)).toBe('surface')
})

test('largerWindow reduces or surfaces only when no eligible window holds the input', () => {
  const windows = fc.uniqueArray(fc.integer({ min: 8_001, max: 99_999 }), { maxLength: 6 })
  fc.assert(
    fc.property(windows, fc.integer({ min: 1, max: 120_000 }), fc.boolean(), (sizes, inputTokens, canReduce) => {
      const eligible = sizes.map((contextWindow) => ({ id: `w${contextWindow}`, contextWindow }))
      const answer = largerWindow({ failed, eligible, inputTokens, canReduce })
      const firstFit = sizes.find((size) => size >= inputTokens)
      expect(answer).toBe(firstFit === undefined ? (canReduce ? 'reduce' : undefined) : `w${firstFit}`)
    }),
  )
})
