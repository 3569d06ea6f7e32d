import type { BackoffContext, Limits } from 'heed'
import { describe, expect, test } from 'vitest'
import { brief, marksOf, policyOf, Walk } from './support/walk.ts'

const NO_LIMITS: Partial<Limits> = { maxWaitMs: Infinity, switchAfterMs: Infinity }

/** Own backoff in ms, hint in seconds, randomness, the wait in ms, and the wait where the hint may pull it down. */
const DELAYS: readonly (readonly [number, number | undefined, number, number, number])[] = [
  [500, undefined, 0, 500, 500],
  [500, undefined, 0.9, 500, 500],
  [0, undefined, 0, 0, 0],
  [500, 0, 0.5, 500, 500],
  [500, 2, 0, 2_000, 2_000],
  [500, 2, 0.5, 2_100, 2_100],
  [500, 1_000, 0.5, 1_005_000, 1_005_000],
  [500, 1e9, 0.5, 1e12 + 5_000, 1e12 + 5_000],
  [500, 0.1, 0, 500, 100],
  [500, 0.1, 0.5, 500, 105],
  [2_050, 2, 0.5, 2_100, 2_100],
  [2_150, 2, 0.5, 2_150, 2_100],
  [0, 0.001, 0, 1, 1],
  [30_000, 30, 0, 30_000, 30_000],
  [500, Number.NaN, 0.5, 500, 500],
  [500, -3, 0.5, 500, 500],
  [500, Infinity, 0.5, 500, 500],
]

describe('the wait before the same target', () => {
  test.each(DELAYS)(
    'own %s ms, hint %s s, random %s: %s ms; clamped down: %s ms',
    (own, hint, random, ms, clampedMs) => {
      for (const [clampDown, expected] of [[false, ms] as const, [true, clampedMs] as const]) {
        const walk = new Walk(policyOf([{ id: 'a' }], { backoff: () => own, limits: { ...NO_LIMITS, clampDown } }))
        walk.start()
        const classification = { class: 'transient', ...(hint === undefined ? {} : { retryAfterSecs: hint }) }
        const decision = walk.fails('a', classification, { random })
        expect(decision).toMatchObject({ kind: 'retry', delayMs: expected })
      }
    },
  )

  test("another call's later hint is the floor of this one too", () => {
    const policy = policyOf([{ id: 'a' }], { limits: NO_LIMITS })
    const walk = new Walk(policy, {}, marksOf(policy, { coolingMs: { a: 9_000 } }))
    walk.nowMs = 1_000
    expect(walk.fails('a', { class: 'transient', retryAfterSecs: 2 })).toMatchObject({ delayMs: 8_000 })
  })
})

/** A hint at `a`, with `b` ready: which wait gives way. */
const GIVES_WAY: readonly (readonly [string, Partial<Limits>, number | undefined, number, string])[] = [
  ['short enough', { switchAfterMs: 5_000 }, undefined, 4, 'retry retry_after a in 4000'],
  ['as long as switchAfterMs', { switchAfterMs: 5_000 }, undefined, 5, 'retry retry_after a in 5000'],
  ['longer than switchAfterMs', { switchAfterMs: 5_000 }, undefined, 5.001, 'advance switch_after b in 0'],
  ['switchAfterMs 0', { switchAfterMs: 0 }, undefined, 0, 'advance switch_after b in 0'],
  [
    'longer than maxWaitMs',
    { switchAfterMs: Infinity, maxWaitMs: 3_999 },
    undefined,
    4,
    'advance wait_too_long b in 0',
  ],
  ['as long as maxWaitMs', { switchAfterMs: Infinity, maxWaitMs: 4_000 }, undefined, 4, 'retry retry_after a in 4000'],
  ['past the deadline', { switchAfterMs: Infinity }, 3_000, 4, 'advance deadline b in 0'],
  ['up to the deadline', { switchAfterMs: Infinity }, 4_000, 4, 'advance deadline b in 0'],
  ['just before the deadline', { switchAfterMs: Infinity }, 4_001, 4, 'retry retry_after a in 4000'],
]

describe('a wait that gives way to another candidate', () => {
  test.each(GIVES_WAY)('%s', (_name, limits, deadlineMs, retryAfterSecs, expected) => {
    const walk = new Walk(policyOf([{ id: 'a' }, { id: 'b' }], { limits }), { deadlineMs })
    walk.start()
    expect(brief(walk.fails('a', { class: 'transient', retryAfterSecs }))).toBe(expected)
  })

  test('with nobody ready, a wait over switchAfterMs is waited', () => {
    const policy = policyOf([{ id: 'a' }, { id: 'b' }])
    const walk = new Walk(policy, {}, marksOf(policy, { coolingMs: { b: 50_000 } }))
    walk.start()
    expect(brief(walk.fails('a', { class: 'transient', retryAfterSecs: 30 }))).toBe('retry retry_after a in 30000')
  })

  test('a wait that does not fit is not skipped by going elsewhere and back', () => {
    const walk = new Walk(policyOf([{ id: 'a' }, { id: 'b' }], { backoff: () => 9_000, limits: { maxWaitMs: 10_000 } }))
    walk.start()
    expect(brief(walk.fails('a', { class: 'transient' }))).toBe('advance switch_after b in 0')
    expect(brief(walk.fails('b', { class: 'permanent' }))).toBe('advance permanent a in 9000')
  })

  test('the sum of all waits counts, not each', () => {
    const walk = new Walk(policyOf([{ id: 'a' }], { limits: { maxWaitMs: 1_000, perTarget: 9, budget: false } }))
    walk.start()
    expect(brief(walk.fails('a', { class: 'transient' }))).toBe('retry backoff a in 500')
    walk.nowMs = 500
    expect(brief(walk.fails('a', { class: 'transient' }))).toBe('retry backoff a in 500')
    walk.nowMs = 1_000
    expect(walk.fails('a', { class: 'transient' })).toMatchObject({ reason: 'wait_too_long', class: 'transient' })
  })
})

describe('the backoff sequence', () => {
  const asked = (steps: readonly (readonly [string, string, number?])[]): readonly BackoffContext[] => {
    const contexts: BackoffContext[] = []
    const backoff = (context: BackoffContext): number => {
      contexts.push(context)
      return context.repeat * 100
    }
    const limits = { ...NO_LIMITS, perTarget: 9, total: 20, budget: false as const }
    const walk = new Walk(policyOf([{ id: 'a', credentials: ['one', 'two'] }, { id: 'b' }], { backoff, limits }))
    walk.start()
    for (const [id, stated, retryAfterSecs] of steps) {
      walk.fails(id, { class: stated, ...(retryAfterSecs === undefined ? {} : { retryAfterSecs }) }, { random: 0.25 })
    }
    return contexts
  }

  test('counts repeats of a target in a row', () => {
    expect(
      asked([
        ['a', 'transient'],
        ['a', 'transient'],
        ['a', 'transient'],
      ]),
    ).toEqual([
      { repeat: 1, random: 0.25 },
      { repeat: 2, random: 0.25, previousDelayMs: 100 },
      { repeat: 3, random: 0.25, previousDelayMs: 200 },
    ])
  })

  test('a hint does not start it again', () => {
    expect(
      asked([
        ['a', 'transient'],
        ['a', 'transient', 9],
        ['a', 'transient'],
      ]).map(({ repeat }) => repeat),
    ).toEqual([1, 2, 3])
  })

  test('another target does', () => {
    expect(
      asked([
        ['a', 'transient'],
        ['b', 'transient'],
        ['a', 'transient'],
      ]).map(({ repeat }) => repeat),
    ).toEqual([1, 1, 1])
  })

  test('another class does', () => {
    expect(
      asked([
        ['a', 'transient'],
        ['a', 'auth_required'],
        ['a', 'transient'],
      ]).map(({ repeat }) => repeat),
    ).toEqual([1, 1])
  })
})

describe('the retry budget', () => {
  test('gates a repeat after transient', () => {
    const policy = policyOf([{ id: 'a' }, { id: 'b' }])
    const walk = new Walk(policy, {}, marksOf(policy, { budget: { a: 0 } }))
    walk.start()
    expect(brief(walk.fails('a', { class: 'transient' }))).toBe('advance budget_spent b in 0')
  })

  test('is charged when the repeat is decided', () => {
    const walk = new Walk(policyOf([{ id: 'a' }]))
    expect(walk.start()).not.toHaveProperty('repeat')
    expect(walk.fails('a', { class: 'transient' })).toMatchObject({ kind: 'retry', repeat: true })
  })

  test('a rotation costs nothing', () => {
    const policy = policyOf([{ id: 'a', credentials: ['one', 'two'] }])
    const walk = new Walk(policy, {}, marksOf(policy, { budget: { a: 0 } }))
    walk.start()
    const decision = walk.fails('a', { class: 'auth_required' }, { credential: 'one' })
    expect(brief(decision)).toBe('advance next_credential a/two in 0')
    expect(decision).not.toHaveProperty('repeat')
  })

  test('can be switched off', () => {
    const policy = policyOf([{ id: 'a' }], { limits: { budget: false } })
    const walk = new Walk(policy, {}, marksOf(policy, { budget: { a: 0 } }))
    walk.start()
    expect(brief(walk.fails('a', { class: 'transient' }))).toBe('retry backoff a in 500')
  })
})
