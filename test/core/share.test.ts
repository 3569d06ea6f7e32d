import fc from 'fast-check'
import { isFirst, isOver, joined, LINGER_MS, NO_SHARE, type Share } from 'heed/stores/mirrored'
import { describe, expect, test } from 'vitest'
import { law } from '../laws/support/law.ts'
import { fewShares } from '../stores/any-share.ts'

const marked = (untilMs: number, setMs: number, more: Partial<Share> = {}): Share => ({
  ...NO_SHARE,
  marks: { a: { untilMs, setMs } },
  ...more,
})

const all = (shares: readonly Share[]): Share => shares.reduce(joined, NO_SHARE)

law('A share joined with itself, or with what it holds, is the same object', {
  given: fewShares,
  holds: (shares, see) => {
    const held = all(shares)
    expect(joined(held, held)).toBe(held)
    const last = shares.at(-1) as Share
    expect(joined(held, last)).toBe(held)
    if (held.sinceMs > 0 && Object.keys(held.marks).length > 0) see('marks since an end')
  },
  mustSee: ['marks since an end'],
})

law('Two who tell each other what they know come to the same', {
  given: fewShares,
  holds: (shares, see) => {
    const [one, other] = [all(shares), all(shares.toReversed())]
    expect(joined(one, other)).toEqual(joined(other, one))
    if (joined(one, other).generation > Math.max(...shares.map(({ generation }) => generation))) see('a late answer')
  },
  mustSee: ['a late answer'],
})

law('The end of a mark that was set after all that ends anything is never lost, nor made earlier', {
  given: fc.tuple(fewShares, fc.integer({ min: 1, max: 100 })),
  holds: ([shares, setMs], see) => {
    const hint = marked(1_000, setMs)
    const others = shares.map((share) => ({ ...share, generation: 0, sinceMs: Math.min(share.sinceMs, setMs - 1) }))
    for (const order of [
      [hint, ...others],
      [...others, hint],
      [...others, hint, ...others],
    ]) {
      expect(all(order).marks['a']?.untilMs).toBeGreaterThanOrEqual(1_000)
    }
    if (others.some(({ sinceMs }) => sinceMs > 0)) see('an end before it')
  },
  mustSee: ['an end before it'],
})

law('What is known of ends never goes back', {
  given: fewShares,
  holds: (shares) => {
    let held = NO_SHARE
    for (const share of shares) {
      const next = joined(held, share)
      expect(next.generation).toBeGreaterThanOrEqual(held.generation)
      expect(next.sinceMs).toBeGreaterThanOrEqual(held.sinceMs)
      expect(next.lastMs).toBeGreaterThanOrEqual(Math.max(held.lastMs, share.lastMs))
      held = next
    }
  },
  mustSee: [],
})

describe('the first of a group', () => {
  test.each([
    ['nothing before', NO_SHARE, marked(10, 1), true],
    ['one that has passed before', marked(4, 1), marked(10, 2), true],
    ['one that lives before', marked(6, 1), marked(10, 2), false],
    ['one that lives before, in another generation', marked(6, 1), marked(10, 2, { generation: 1 }), true],
    ['one that lives before and is ended', marked(6, 1), marked(10, 3, { sinceMs: 2 }), true],
    ['one that has passed itself', NO_SHARE, marked(5, 1), false],
  ])('with %s', (_name, before, given, first) => {
    expect(isFirst(before, joined(before, given), 5)).toBe(first)
  })
})

test('what is over says so long after its last mark, ended or not', () => {
  const held = joined(marked(100, 1), { ...NO_SHARE, sinceMs: 50 })
  expect(held).toEqual({ generation: 0, sinceMs: 50, lastMs: 100, marks: {} })
  expect(isOver(held, 99 + LINGER_MS)).toBe(false)
  expect(isOver(held, 100 + LINGER_MS)).toBe(true)
})
