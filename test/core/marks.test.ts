import { type Classification, type Marks, NO_MARKS, type Observation, observe, startCall } from 'heed'
import { describe, expect, test } from 'vitest'
import { policyOf, Walk } from './support/walk.ts'

const policy = policyOf([
  { id: 'a', provider: 'acme', credentials: ['one', 'two', 'three'] },
  { id: 'b', provider: 'globex' },
])
const [ONE, TWO, THREE] = policy.targets
const B = policy.targets[3]

function seen(
  marks: Marks,
  target: typeof ONE,
  classification: Classification,
  { nowMs = 0, generation = 0, state = startCall(policy) } = {},
): Marks {
  if (target === undefined) throw new Error('no such target')
  const failure = { kind: 'failure' as const, target, classification, generation }
  return observe(policy, marks, { kind: 'failure', failure, state, nowMs })
}

const refused = (ids: readonly string[], blocked: boolean): object => ({
  generation: 0,
  refused: ids,
  blocked,
  declined: false,
})

describe('what leaves no mark', () => {
  test.each<readonly [string, Classification]>([
    ['transient without a hint', { class: 'transient' }],
    ['transient with a hint of 0', { class: 'transient', retryAfterSecs: 0 }],
    ['transient with a hint that is none', { class: 'transient', retryAfterSecs: Number.NaN }],
    ['permanent', { class: 'permanent' }],
    ['permanent with a hint', { class: 'permanent', retryAfterSecs: 30 }],
    ['permanent for the provider', { class: 'permanent', scope: 'provider' }],
    ['overflow', { class: 'context_overflow' }],
    ['an unknown class', { class: 'a fifth' }],
    ['an unknown class with a hint', { class: 'a fifth', retryAfterSecs: 30 }],
    ['no class', { class: undefined, retryAfterSecs: 30 }],
  ])('%s', (_name, classification) => {
    expect(seen(NO_MARKS, B, classification)).toBe(NO_MARKS)
  })
})

describe('cooling', () => {
  test('a hint cools its target alone', () => {
    const marks = seen(NO_MARKS, ONE, { class: 'transient', retryAfterSecs: 30 }, { nowMs: 1_000 })
    expect(Object.values(marks.cooling)).toEqual([{ candidate: 'a', credential: 'one', untilMs: 31_000 }])
  })

  test.each([
    [30, 10, 30_000],
    [10, 30, 30_000],
  ])('of the hints %s s and %s s the later holds', (first, second, untilMs) => {
    const before = seen(NO_MARKS, B, { class: 'transient', retryAfterSecs: first })
    const marks = seen(before, B, { class: 'transient', retryAfterSecs: second })
    expect(Object.values(marks.cooling)).toEqual([{ candidate: 'b', untilMs }])
  })

  test('revive lifts the cooling of all targets of a candidate', () => {
    let marks = seen(NO_MARKS, ONE, { class: 'transient', retryAfterSecs: 30 })
    marks = seen(marks, TWO, { class: 'transient', retryAfterSecs: 30 })
    marks = seen(marks, B, { class: 'transient', retryAfterSecs: 30 })
    marks = observe(policy, marks, { kind: 'revived', candidate: 'a' })
    expect(Object.values(marks.cooling).map(({ candidate }) => candidate)).toEqual(['b'])
  })
})

describe('refusals', () => {
  const A401: Classification = { class: 'auth_required' }

  test('one of three credentials does not block', () => {
    expect(seen(NO_MARKS, ONE, A401).providers).toEqual({ acme: refused(['one'], false) })
  })

  test('two in a call do', () => {
    const walk = new Walk(policy)
    walk.start()
    walk.fails('a', A401, { credential: 'one' })
    walk.fails('a', A401, { credential: 'two' })
    expect(walk.marks.providers).toEqual({ acme: refused(['one', 'two'], true) })
  })

  test('two in two calls do not', () => {
    expect(seen(seen(NO_MARKS, ONE, A401), TWO, A401).providers).toEqual({ acme: refused(['one', 'two'], false) })
  })

  test('the last one does', () => {
    const two = seen(seen(NO_MARKS, ONE, A401), TWO, A401)
    expect(seen(two, THREE, A401).providers).toEqual({ acme: refused(['one', 'two', 'three'], true) })
  })

  test('a candidate with no listed credential blocks at once', () => {
    expect(seen(NO_MARKS, B, A401).providers['globex']).toMatchObject({ blocked: true })
  })

  test('the same credential again changes nothing', () => {
    const once = seen(NO_MARKS, ONE, A401)
    expect(seen(once, ONE, A401)).toBe(once)
  })

  const answered = (kind: 'resolved' | 'declined', marks: Marks): Marks => {
    const observation: Observation = { kind, provider: 'globex' }
    return observe(policy, marks, observation)
  }

  test('resolve starts a new generation', () => {
    const marks = answered('resolved', seen(NO_MARKS, B, A401))
    expect(marks.providers).toEqual({ globex: { generation: 1, refused: [], blocked: false, declined: false } })
  })

  test('a refusal of an older generation marks nothing', () => {
    const marks = answered('resolved', seen(NO_MARKS, B, A401))
    expect(seen(marks, B, A401, { generation: 0 })).toBe(marks)
    expect(seen(marks, B, A401, { generation: 1 }).providers['globex']).toMatchObject({ blocked: true })
  })

  test('decline holds until resolve', () => {
    const declined = answered('declined', seen(NO_MARKS, B, A401))
    expect(declined.providers['globex']).toMatchObject({ declined: true })
    expect(answered('resolved', declined).providers['globex']).toMatchObject({ declined: false, refused: [] })
  })
})
