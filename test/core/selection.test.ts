import type { CallFacts, Policy } from 'heed'
import { advanceThenPause } from 'heed/strategies/auth/advance-then-pause'
import { surface } from 'heed/strategies/auth/surface'
import { describe, expect, test } from 'vitest'
import { brief, type Drawn, marksOf, policyOf, Walk } from './support/walk.ts'

const A: Drawn = { id: 'a', provider: 'acme', contextWindow: 100 }
const A2: Drawn = { id: 'b', provider: 'acme', contextWindow: 100 }
const B: Drawn = { id: 'b', provider: 'globex', contextWindow: 200 }
const C: Drawn = { id: 'c', provider: 'initech', contextWindow: 300 }

interface Row {
  readonly chain: readonly Drawn[]
  readonly marks?: Parameters<typeof marksOf>[1]
  readonly facts?: CallFacts
  readonly policy?: Parameters<typeof policyOf>[1]
  readonly is: string
}

/** A call starts, with the marks that other calls left behind. */
const STARTS: Readonly<Record<string, Row>> = {
  'nothing known: the first': { chain: [A, B], is: 'advance start a in 0' },
  'first cools a long time: the second': {
    chain: [A, B],
    marks: { coolingMs: { a: 30_000 } },
    is: 'advance start b in 0',
  },
  'first cools a moment: the second all the same': {
    chain: [A, B],
    marks: { coolingMs: { a: 1_000 } },
    is: 'advance start b in 0',
  },
  'second cools: the first': { chain: [A, B], marks: { coolingMs: { b: 30_000 } }, is: 'advance start a in 0' },
  'all cool: the earliest': {
    chain: [A, B],
    marks: { coolingMs: { a: 30_000, b: 10_000 } },
    is: 'advance start b in 10000',
  },
  'all cool equally: the first of them': {
    chain: [A, B],
    marks: { coolingMs: { a: 10_000, b: 10_000 } },
    is: 'advance start a in 10000',
  },
  'all cool for too long': {
    chain: [A, B],
    marks: { coolingMs: { a: 61_000, b: 62_000 } },
    is: 'surface wait_too_long',
  },
  'as long as maxWaitMs fits': { chain: [A], marks: { coolingMs: { a: 60_000 } }, is: 'advance start a in 60000' },
  'all cool past the deadline': {
    chain: [A, B],
    marks: { coolingMs: { a: 10_000, b: 20_000 } },
    facts: { deadlineMs: 9_000 },
    is: 'surface deadline',
  },
  'a wait that ends with the deadline does not fit': {
    chain: [A],
    marks: { coolingMs: { a: 9_000 } },
    facts: { deadlineMs: 9_000 },
    is: 'surface deadline',
  },
  'capped: back after maxWaitMs': {
    chain: [A, B],
    marks: { coolingMs: { a: 90_000, b: 70_000 } },
    policy: { limits: { capTooLong: true } },
    is: 'advance start b in 60000',
  },
  'capped, but another is ready': {
    chain: [A, B],
    marks: { coolingMs: { a: 90_000 } },
    policy: { limits: { capTooLong: true } },
    is: 'advance start b in 0',
  },
  'first blocked: pause': { chain: [A, B], marks: { blocked: ['acme'] }, is: 'pause acme' },
  'all of one provider, blocked: pause': { chain: [A, A2], marks: { blocked: ['acme'] }, is: 'pause acme' },
  'second blocked: the first': { chain: [A, B], marks: { blocked: ['globex'] }, is: 'advance start a in 0' },
  'second blocked and the first cooling: pause for the second': {
    chain: [A, B],
    marks: { blocked: ['globex'], coolingMs: { a: 90_000 } },
    is: 'pause globex',
  },
  'first cooling for a wait that fits, second blocked: the first': {
    chain: [A, B],
    marks: { blocked: ['globex'], coolingMs: { a: 9_000 } },
    is: 'advance start a in 9000',
  },
  'blocked before one that is ready, third in line': {
    chain: [A, B, C],
    marks: { blocked: ['globex'], coolingMs: { a: 9_000 } },
    is: 'pause globex',
  },
  'advanceThenPause: on to the ready one': {
    chain: [A, B],
    marks: { blocked: ['acme'] },
    policy: { auth: advanceThenPause },
    is: 'advance start b in 0',
  },
  'advanceThenPause: on to one whose wait fits': {
    chain: [A, B],
    marks: { blocked: ['acme'], coolingMs: { b: 7_000 } },
    policy: { auth: advanceThenPause },
    is: 'advance start b in 7000',
  },
  'advanceThenPause: nobody within reach': {
    chain: [A, B],
    marks: { blocked: ['acme'], coolingMs: { b: 90_000 } },
    policy: { auth: advanceThenPause },
    is: 'pause acme',
  },
  'advanceThenPause: none of another provider': {
    chain: [A, A2],
    marks: { blocked: ['acme'] },
    policy: { auth: advanceThenPause },
    is: 'pause acme',
  },
  'surface: nobody else': {
    chain: [A],
    marks: { blocked: ['acme'] },
    policy: { auth: surface },
    is: 'surface auth_required',
  },
  'first declined: the second, without a pause': {
    chain: [A, B],
    marks: { declined: ['acme'] },
    is: 'advance start b in 0',
  },
  'first declined and blocked: no pause either': {
    chain: [A, B],
    marks: { declined: ['acme'], blocked: ['acme'] },
    is: 'advance start b in 0',
  },
  'first credential refused: the next one': {
    chain: [{ ...A, credentials: ['one', 'two'] }],
    marks: { refused: { acme: ['one'] } },
    is: 'advance start a/two in 0',
  },
  'credentials in order': { chain: [{ ...A, credentials: ['one', 'two'] }], is: 'advance start a/one in 0' },
  'too small: the larger': { chain: [A, B], facts: { inputTokens: 150 }, is: 'advance start b in 0' },
  'exactly large enough': { chain: [A, B], facts: { inputTokens: 100 }, is: 'advance start a in 0' },
  'an unknown window is not known to be too small': {
    chain: [A, { id: 'b' }],
    facts: { inputTokens: 150 },
    is: 'advance start b in 0',
  },
  'all too small, and nothing to reduce': {
    chain: [A, B],
    facts: { inputTokens: 500 },
    is: 'surface context_overflow',
  },
  'too small and blocked: no pause for it': {
    chain: [A, B],
    facts: { inputTokens: 150 },
    marks: { blocked: ['acme'] },
    is: 'advance start b in 0',
  },
  'a repeat is what budget is for, not a start': {
    chain: [A, B],
    marks: { budget: { a: 0 } },
    is: 'advance start a in 0',
  },
}

describe('the start of a call', () => {
  test.each(Object.entries(STARTS))('%s', (_name, { chain, marks = {}, facts, policy: parts, is }) => {
    const policy = policyOf(chain, parts)
    expect(brief(new Walk(policy, facts, marksOf(policy, marks)).start())).toBe(is)
  })
})

/** An attempt at `a` overflows its window of 100. */
const OVERFLOWS: Readonly<Record<string, Row>> = {
  'the larger one': { chain: [A, B], is: 'advance larger_window b in 0' },
  'the first larger in chain order': { chain: [A, C, B], is: 'advance larger_window c in 0' },
  'the first that fits the input': { chain: [A, B, C], facts: { inputTokens: 90 }, is: 'advance larger_window b in 0' },
  'an equal window is not larger': { chain: [A, { ...B, contextWindow: 100 }], is: 'surface context_overflow' },
  'an unknown window is not known to be larger': { chain: [A, { id: 'b' }], is: 'surface context_overflow' },
  'a larger one cools: another that is ready': {
    chain: [A, B, C],
    marks: { coolingMs: { b: 10_000 } },
    is: 'advance larger_window c in 0',
  },
  'the larger one cools: wait for it': {
    chain: [A, B],
    marks: { coolingMs: { b: 10_000 } },
    is: 'advance larger_window b in 10000',
  },
  'it cools too long: reduce': {
    chain: [A, B],
    marks: { coolingMs: { b: 90_000 } },
    facts: { canReduce: true },
    is: 'reduce for a',
  },
  'it cools past the deadline: reduce': {
    chain: [A, B],
    marks: { coolingMs: { b: 9_000 } },
    facts: { canReduce: true, deadlineMs: 5_000 },
    is: 'reduce for a',
  },
  'a larger one before reducing': { chain: [A, B], facts: { canReduce: true }, is: 'advance larger_window b in 0' },
  'none larger: reduce': { chain: [A], facts: { canReduce: true }, is: 'reduce for a' },
  'no reductions allowed': {
    chain: [A],
    facts: { canReduce: true },
    policy: { limits: { reduce: 0 } },
    is: 'surface context_overflow',
  },
  'the larger one is declined': {
    chain: [A, B],
    marks: { declined: ['globex'] },
    facts: { canReduce: true },
    is: 'reduce for a',
  },
}

describe('after an overflow', () => {
  test.each(Object.entries(OVERFLOWS))('%s', (_name, { chain, marks = {}, facts, policy: parts, is }) => {
    const policy = policyOf(chain, parts)
    const walk = new Walk(policy, facts, marksOf(policy, marks))
    walk.start()
    expect(brief(walk.fails('a', { class: 'context_overflow' }))).toBe(is)
  })

  test('the larger one cools too long and nothing can be reduced: it will recover by itself', () => {
    const policy = policyOf([A, B])
    const walk = new Walk(policy, {}, marksOf(policy, { coolingMs: { b: 90_000 } }))
    walk.start()
    const decision = walk.fails('a', { class: 'context_overflow' })
    expect(decision).toMatchObject({ kind: 'surface', class: 'transient', retryAfterSecs: 90 })
  })

  test('at an unknown window only a smaller input is a remedy', () => {
    const chain = [{ id: 'a' }, B]
    expect(brief(overflowAt(policyOf(chain), {}))).toBe('surface context_overflow')
    expect(brief(overflowAt(policyOf(chain), { canReduce: true }))).toBe('reduce for a')
  })

  test('the reduced input goes to the candidate that overflowed, which starts again', () => {
    const walk = new Walk(policyOf([A], { limits: { perTarget: 1, reduce: 2 } }), { canReduce: true })
    walk.start()
    for (let reduction = 1; reduction <= 2; reduction += 1) {
      expect(brief(walk.fails('a', { class: 'context_overflow' }))).toBe('reduce for a')
      expect(brief(walk.meets({ kind: 'reduced', target: walk.target('a') }))).toBe('retry reduced a in 0')
    }
    expect(brief(walk.fails('a', { class: 'context_overflow' }))).toBe('surface context_overflow')
  })
})

function overflowAt(policy: Policy, facts: CallFacts): ReturnType<Walk['fails']> {
  const walk = new Walk(policy, facts)
  walk.start()
  return walk.fails('a', { class: 'context_overflow' })
}
