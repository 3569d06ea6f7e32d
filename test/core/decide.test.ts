import type { Classification, Decision } from 'heed'
import { describe, expect, test } from 'vitest'
import { brief, type Drawn, policyOf, Walk } from './support/walk.ts'

/** The second has the larger window, so that it is a remedy for every class that another candidate can remedy. */
const A: Drawn = { id: 'a', contextWindow: 100 }
const B: Drawn = { id: 'b', contextWindow: 200 }

type Veto = 'none' | 'aborted' | 'committed' | 'ambiguous' | 'total attempts' | 'deadline'

/** The failure of an attempt at `a`, with `b` behind it or with nobody. */
function decisionAfter(
  stated: string | undefined,
  vetoes: readonly Veto[],
  chain: readonly Drawn[],
  idempotent = false,
): Decision {
  const total = vetoes.includes('total attempts') ? 1 : 10
  const walk = new Walk(policyOf(chain, { limits: { total } }), { deadlineMs: 1_000, idempotent })
  walk.start()
  if (vetoes.includes('deadline')) walk.nowMs = 1_000
  const classification: Classification = {
    class: stated,
    ...(vetoes.includes('ambiguous') ? { ambiguous: true } : {}),
  }
  return walk.fails('a', classification, {
    ...(vetoes.includes('aborted') ? { aborted: true } : {}),
    ...(vetoes.includes('committed') ? { committed: true } : {}),
  })
}

/** Class, veto, the decision with another candidate left, and the decision at the last one. */
const TABLE: readonly (readonly [string | undefined, Veto, string, string])[] = [
  ['transient', 'none', 'retry backoff a in 500', 'retry backoff a in 500'],
  ['transient', 'aborted', 'surface aborted', 'surface aborted'],
  ['transient', 'committed', 'surface committed', 'surface committed'],
  ['transient', 'ambiguous', 'surface ambiguous', 'surface ambiguous'],
  ['transient', 'total attempts', 'surface total_attempts', 'surface total_attempts'],
  ['transient', 'deadline', 'surface deadline', 'surface deadline'],
  ['permanent', 'none', 'advance permanent b in 0', 'surface all_permanent'],
  ['permanent', 'aborted', 'surface aborted', 'surface aborted'],
  ['permanent', 'committed', 'surface committed', 'surface committed'],
  ['permanent', 'ambiguous', 'surface ambiguous', 'surface ambiguous'],
  // Both at once: the sentence that helps is that nobody is left alive.
  ['permanent', 'total attempts', 'surface total_attempts', 'surface all_permanent'],
  ['permanent', 'deadline', 'surface deadline', 'surface deadline'],
  ['auth_required', 'none', 'pause provider of a', 'pause provider of a'],
  ['auth_required', 'aborted', 'surface aborted', 'surface aborted'],
  ['auth_required', 'committed', 'surface committed', 'surface committed'],
  ['auth_required', 'ambiguous', 'surface ambiguous', 'surface ambiguous'],
  ['auth_required', 'total attempts', 'surface total_attempts', 'surface total_attempts'],
  ['auth_required', 'deadline', 'surface deadline', 'surface deadline'],
  ['context_overflow', 'none', 'advance larger_window b in 0', 'surface context_overflow'],
  ['context_overflow', 'aborted', 'surface aborted', 'surface aborted'],
  ['context_overflow', 'committed', 'surface committed', 'surface committed'],
  ['context_overflow', 'ambiguous', 'surface ambiguous', 'surface ambiguous'],
  ['context_overflow', 'total attempts', 'surface total_attempts', 'surface total_attempts'],
  ['context_overflow', 'deadline', 'surface deadline', 'surface deadline'],
  ['a fifth', 'none', 'surface unknown_class', 'surface unknown_class'],
  ['a fifth', 'aborted', 'surface aborted', 'surface aborted'],
  ['a fifth', 'committed', 'surface committed', 'surface committed'],
  ['a fifth', 'ambiguous', 'surface ambiguous', 'surface ambiguous'],
  ['a fifth', 'total attempts', 'surface unknown_class', 'surface unknown_class'],
  ['a fifth', 'deadline', 'surface unknown_class', 'surface unknown_class'],
  [undefined, 'none', 'surface unclassified', 'surface unclassified'],
  [undefined, 'aborted', 'surface aborted', 'surface aborted'],
  [undefined, 'committed', 'surface committed', 'surface committed'],
  [undefined, 'ambiguous', 'surface ambiguous', 'surface ambiguous'],
  [undefined, 'total attempts', 'surface unclassified', 'surface unclassified'],
  [undefined, 'deadline', 'surface unclassified', 'surface unclassified'],
]

describe('every class by every veto', () => {
  test.each(TABLE)('%s, veto %s: %s; at the last candidate: %s', (stated, veto, withAnother, atTheLast) => {
    expect(brief(decisionAfter(stated, [veto], [A, B]))).toBe(withAnother)
    expect(brief(decisionAfter(stated, [veto], [A]))).toBe(atTheLast)
  })
})

describe('two vetoes: the first in order speaks', () => {
  test.each<readonly [string, Veto, Veto, string]>([
    ['transient', 'aborted', 'committed', 'surface aborted'],
    ['transient', 'aborted', 'deadline', 'surface aborted'],
    ['transient', 'committed', 'ambiguous', 'surface committed'],
    ['transient', 'committed', 'total attempts', 'surface committed'],
    ['a fifth', 'committed', 'none', 'surface committed'],
    ['a fifth', 'ambiguous', 'none', 'surface ambiguous'],
    ['transient', 'ambiguous', 'total attempts', 'surface ambiguous'],
    ['transient', 'total attempts', 'deadline', 'surface total_attempts'],
  ])('%s, %s and %s: %s', (stated, one, other, expected) => {
    expect(brief(decisionAfter(stated, [one, other], [A, B]))).toBe(expected)
  })
})

describe('an ambiguous failure of an idempotent call counts by its class, and as transient where it has none', () => {
  test.each([
    ['transient', 'retry backoff a in 500'],
    ['permanent', 'advance permanent b in 0'],
    ['auth_required', 'pause provider of a'],
    ['context_overflow', 'advance larger_window b in 0'],
    ['a fifth', 'surface unknown_class'],
    [undefined, 'retry backoff a in 500'],
  ])('%s: %s', (stated, expected) => {
    expect(brief(decisionAfter(stated, ['ambiguous'], [A, B], true))).toBe(expected)
  })
})

describe('the same target no longer', () => {
  test('attempts per target are spent', () => {
    const walk = new Walk(policyOf([A, B], { limits: { perTarget: 2 } }))
    walk.start()
    expect(brief(walk.fails('a', { class: 'transient' }))).toBe('retry backoff a in 500')
    expect(brief(walk.fails('a', { class: 'transient' }))).toBe('advance attempts_spent b in 0')
    walk.fails('b', { class: 'transient' })
    expect(walk.fails('b', { class: 'transient' })).toMatchObject({ kind: 'surface', class: 'transient' })
  })

  test('a heed below gave up', () => {
    const walk = new Walk(policyOf([A, B]))
    walk.start()
    expect(brief(walk.fails('a', { class: 'transient', exhausted: true }))).toBe('advance exhausted_below b in 0')
  })

  test('the provider is dead, and with it the rest of its candidates', () => {
    const chain = [{ ...A, provider: 'acme' }, { ...B, provider: 'acme' }, { id: 'c' }]
    const walk = new Walk(policyOf(chain))
    walk.start()
    expect(brief(walk.fails('a', { class: 'permanent', scope: 'provider' }))).toBe('advance permanent c in 0')
    expect(walk.fails('c', { class: 'permanent' })).toMatchObject({ reason: 'all_permanent', chainDead: true })
  })

  test('transient exhaustion never raises the alarm', () => {
    const walk = new Walk(policyOf([A], { limits: { perTarget: 1 } }))
    walk.start()
    expect(walk.fails('a', { class: 'transient' })).not.toHaveProperty('chainDead')
  })
})

describe('credentials', () => {
  const chain: readonly Drawn[] = [{ id: 'a', provider: 'acme', credentials: ['one', 'two', 'three'] }]

  test('the next one at once, two in a call, then a pause', () => {
    const walk = new Walk(policyOf(chain))
    walk.start()
    expect(brief(walk.fails('a', { class: 'auth_required' }, { credential: 'one' }))).toBe(
      'advance next_credential a/two in 0',
    )
    expect(brief(walk.fails('a', { class: 'auth_required' }, { credential: 'two' }))).toBe('pause acme')
  })

  test('an answer brings the call back, and attempts count from the start', () => {
    const walk = new Walk(policyOf([{ id: 'a', provider: 'acme' }], { limits: { perTarget: 1 } }))
    walk.start()
    expect(brief(walk.fails('a', { class: 'auth_required' }))).toBe('pause acme')
    walk.marks = { ...walk.marks, providers: { acme: { generation: 1, refused: [], blocked: false, declined: false } } }
    expect(brief(walk.meets({ kind: 'answered' }))).toBe('retry resumed a in 0')
  })

  test('a refusal of an older generation neither marks nor pauses', () => {
    const walk = new Walk(policyOf([{ id: 'a', provider: 'acme' }]))
    walk.start()
    walk.marks = { ...walk.marks, providers: { acme: { generation: 1, refused: [], blocked: false, declined: false } } }
    const before = walk.marks
    expect(brief(walk.fails('a', { class: 'auth_required' }, { generation: 0 }))).toBe('retry late_refusal a in 0')
    expect(walk.marks).toBe(before)
  })

  test('an unanswered pause goes on as if the provider were declined', () => {
    const walk = new Walk(policyOf([{ id: 'a', provider: 'acme' }, B]))
    walk.start()
    walk.fails('a', { class: 'auth_required' })
    expect(brief(walk.meets({ kind: 'unanswered', provider: 'acme', generation: 0 }))).toBe(
      'advance auth_required b in 0',
    )
  })
})
