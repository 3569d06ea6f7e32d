import type { Classification } from 'heed'
import { describe, expect, test } from 'vitest'
import { type Drawn, marksOf, policyOf, Walk } from './support/walk.ts'

/** Goes on with another provider while there is one, and never waits for anybody. */
const advanceOrSurface = ({
  otherProviderEligible,
}: {
  readonly otherProviderEligible: boolean
}): 'advance' | 'surface' => (otherProviderEligible ? 'advance' : 'surface')

const P: Classification = { class: 'permanent' }
const T: Classification = { class: 'transient' }
const A: Classification = { class: 'auth_required' }
const O: Classification = { class: 'context_overflow' }
const soon = (retryAfterSecs: number): Classification => ({ class: 'transient', retryAfterSecs })

/** What became of each candidate, in the order of the attempts, and what the surfaced error must say. */
const TRIED: readonly (readonly [string, readonly Classification[], readonly number[], object])[] = [
  ['all permanent', [P, P], [1, 2], { class: 'permanent', chainDead: true }],
  ['permanent, transient', [P, T], [1, 2], { class: 'transient' }],
  ['transient, permanent', [T, P], [1, 2], { class: 'transient' }],
  ['both transient', [T, T], [1, 2], { class: 'transient' }],
  ['permanent, refused', [P, A], [1, 2], { class: 'auth_required' }],
  ['refused, permanent', [A, P], [1, 2], { class: 'auth_required' }],
  ['refused, transient', [A, T], [1, 2], { class: 'transient' }],
  ['transient, refused', [T, A], [1, 2], { class: 'transient' }],
  ['permanent, overflowed', [P, O], [1, 2], { class: 'context_overflow' }],
  ['overflowed, then permanent at the larger window', [O, P], [1, 2], { class: 'context_overflow' }],
  ['overflowed, then refused at the larger window', [O, A], [1, 2], { class: 'auth_required' }],
  ['overflowed, then transient at the larger window', [O, T], [1, 2], { class: 'transient' }],
  ['refused at a smaller window, overflowed', [A, O], [1, 2], { class: 'context_overflow' }],
  ['refused at a larger window, overflowed', [A, O], [2, 1], { class: 'auth_required' }],
  ['transient at a smaller window, overflowed', [T, O], [1, 2], { class: 'context_overflow' }],
  ['transient at a larger window, overflowed', [T, O], [2, 1], { class: 'transient' }],
  ['both told when, the earliest', [soon(90), soon(70)], [1, 2], { class: 'transient', retryAfterSecs: 70 }],
  ['one told when', [soon(90), T], [1, 2], { class: 'transient', retryAfterSecs: 90 }],
  ['told when, permanent', [soon(90), P], [1, 2], { class: 'transient', retryAfterSecs: 90 }],
  ['three of three kinds', [P, A, O], [3, 1, 2], { class: 'context_overflow' }],
  ['three, the last transient', [P, A, T], [1, 2, 3], { class: 'transient' }],
  ['three permanent', [P, P, P], [1, 2, 3], { class: 'permanent', chainDead: true }],
]

describe('what was attempted', () => {
  test.each(TRIED)('%s', (_name, outcomes, windows, expected) => {
    const chain = outcomes.map((_, index): Drawn => ({ id: `c${index}`, contextWindow: (windows[index] ?? 1) * 100 }))
    const walk = new Walk(policyOf(chain, { limits: { perTarget: 1 }, auth: advanceOrSurface }))
    let decision = walk.start()
    for (const [index, outcome] of outcomes.entries()) {
      expect(decision).toMatchObject({ kind: 'advance', target: { candidate: `c${index}` } })
      decision = walk.fails(`c${index}`, outcome)
    }
    expect(decision).toMatchObject({ kind: 'surface', ...expected })
    if (!('retryAfterSecs' in expected)) expect(decision).not.toHaveProperty('retryAfterSecs')
    if (!('chainDead' in expected)) expect(decision).not.toHaveProperty('chainDead')
  })
})

const A100: Drawn = { id: 'a', provider: 'acme', contextWindow: 100 }
const B100: Drawn = { id: 'b', provider: 'globex', contextWindow: 100 }
const SMALL: Drawn = { id: 'b', provider: 'globex', contextWindow: 10 }

/** Candidates that were skipped: cooling counts as transient, blocked and declined as auth, small as overflow. */
const SKIPPED: readonly (readonly [string, readonly Drawn[], Parameters<typeof marksOf>[1], object])[] = [
  ['both cool', [A100, B100], { coolingMs: { a: 90_000, b: 70_000 } }, { class: 'transient', retryAfterSecs: 70 }],
  [
    'one cools, one is blocked',
    [A100, B100],
    { coolingMs: { a: 90_000 }, blocked: ['globex'] },
    { class: 'transient' },
  ],
  [
    'one cools, one is declined',
    [A100, B100],
    { coolingMs: { b: 90_000 }, declined: ['acme'] },
    { class: 'transient' },
  ],
  [
    'one cools, one is too small',
    [A100, SMALL],
    { coolingMs: { a: 90_000 } },
    { class: 'transient', retryAfterSecs: 90 },
  ],
  ['both are blocked', [A100, B100], { blocked: ['acme', 'globex'] }, { class: 'auth_required' }],
  ['both are declined', [A100, B100], { declined: ['acme', 'globex'] }, { class: 'auth_required' }],
  ['one is declined, one too small', [A100, SMALL], { declined: ['acme'] }, { class: 'auth_required' }],
  ['both are too small', [SMALL], {}, { class: 'context_overflow' }],
]

describe('what was skipped, with no attempt at all', () => {
  test.each(SKIPPED)('%s', (_name, chain, marks, expected) => {
    const policy = policyOf(chain, { auth: advanceOrSurface })
    const decision = new Walk(policy, { inputTokens: 50 }, marksOf(policy, marks)).start()
    expect(decision).toMatchObject({ kind: 'surface', ...expected })
    expect(decision).not.toHaveProperty('chainDead')
  })
})
