import fc from 'fast-check'
import type { Candidate } from 'heed'
import type { Answer, CallSpec, GuardSpec, Said, Scenario, Step, StreamStep } from './scenario.ts'

const PROVIDERS = ['acme', 'globex', 'initech'] as const

/** Milliseconds that meet often, so that things happen at the same time, and now and then do not. */
export const someMs: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, 0, 1, 100, 1_000, 2_000, 5_000, 10_000, 60_000),
  fc.integer({ min: 0, max: 20_000 }),
)

/** A chain of 1 to 5 candidates at up to three providers, each with 0 to 3 credentials and perhaps a window. */
export const chain: fc.Arbitrary<readonly Candidate[]> = fc
  .array(
    fc.record(
      {
        provider: fc.constantFrom(...PROVIDERS),
        contextWindow: fc.constantFrom(8, 16, 32, 64, 128),
        keys: fc.integer({ min: 0, max: 3 }),
      },
      { requiredKeys: ['provider'] },
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((drawn) =>
    drawn.map(({ provider, contextWindow, keys }, index) => ({
      id: `candidate ${index}`,
      provider,
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(keys === undefined
        ? {}
        : { credentials: Array.from({ length: keys }, (_, key) => (key === 1 ? { id: `key ${key}` } : `key ${key}`)) }),
    })),
  )

/** Hints that are seconds, and that are not. */
export const goodHint: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, 0.001, 1, 2, 30, 3_600, 1e9),
  fc.integer({ min: 0, max: 20_000 }).map((ms) => ms / 1_000),
)
export const badHint: fc.Arbitrary<unknown> = fc.constantFrom(-1, Number.NaN, Infinity, -Infinity, '5', null, {}, true)

/** A class of the set, the old spelling included. */
export const knownClass: fc.Arbitrary<string> = fc.constantFrom(
  'transient',
  'transient',
  'permanent',
  'auth_required',
  'auth',
  'context_overflow',
)

/** A string that is no class of the set. */
export const unknownClass: fc.Arbitrary<string> = fc
  .oneof(fc.constantFrom('', 'Transient', 'rate_limited', 'toString', '__proto__', 'permanent '), fc.string())
  .filter((drawn) => !['transient', 'permanent', 'auth_required', 'auth', 'context_overflow'].includes(drawn))

/** Any statement about a failure, mostly such as are acted upon. */
export const said: fc.Arbitrary<Said> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ class: knownClass }) },
  { weight: 4, arbitrary: fc.record({ class: fc.constant('transient'), hint: fc.oneof(goodHint, goodHint, badHint) }) },
  { weight: 1, arbitrary: fc.record({ class: fc.constant('transient'), asideHint: goodHint }) },
  { weight: 1, arbitrary: fc.record({ class: fc.oneof(unknownClass, knownClass), hint: fc.oneof(goodHint, badHint) }) },
  { weight: 1, arbitrary: fc.record({ class: fc.constant('permanent'), scope: fc.constant('provider' as const) }) },
  { weight: 1, arbitrary: fc.record({ class: knownClass, exhausted: fc.constant(true) }) },
  {
    weight: 1,
    arbitrary: fc.record({ class: knownClass, ambiguous: fc.constant(true) }, { requiredKeys: ['ambiguous'] }),
  },
  { weight: 1, arbitrary: fc.constant({}) },
)

/** A step that fails as it is told. */
export function failing(what: fc.Arbitrary<Said>): fc.Arbitrary<Step> {
  return fc.record({ does: fc.constant('fail' as const), afterMs: shortMs, said: what })
}

const shortMs = fc.constantFrom(0, 0, 0, 1, 100, 3_000)

/** A step: mostly a failure. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: failing(said) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('answer' as const), afterMs: shortMs }) },
)

/** A stream: its items, and how it ends. */
export const streamStep: fc.Arbitrary<StreamStep> = fc.record({
  does: fc.constant('stream' as const),
  afterMs: shortMs,
  gapMs: fc.constantFrom(0, 0, 10),
  items: fc.array(fc.constantFrom('content' as const, 'preamble' as const, 'preamble' as const), { maxLength: 3 }),
  ends: fc.oneof({ weight: 1, arbitrary: fc.constant('end' as const) }, { weight: 3, arbitrary: said }),
})

/** Limits small enough to be met. */
export const guardOptions: fc.Arbitrary<GuardSpec['options']> = fc.record(
  {
    attempts: fc.record(
      {
        perTarget: fc.integer({ min: 1, max: 4 }),
        total: fc.integer({ min: 1, max: 12 }),
        reduce: fc.integer({ min: 0, max: 3 }),
      },
      { requiredKeys: [] },
    ),
    retryAfter: fc.record({ clampDown: fc.boolean() }),
    switchAfterMs: someMs,
    maxWaitMs: fc.oneof(someMs, fc.constant(Infinity)),
    maxPauseMs: someMs,
    timeoutMs: someMs,
    attemptTimeoutMs: someMs,
    idempotent: fc.boolean(),
    budget: fc.oneof(
      fc.constant(false as const),
      fc.record({
        cap: fc.constantFrom(0, 1, 3),
        start: fc.constantFrom(0, 1, 3),
        deposit: fc.constantFrom(0, 0.1, 1),
      }),
    ),
  },
  { requiredKeys: [] },
)

/** A guard over a given chain. */
export function guardOver(candidates: fc.Arbitrary<readonly Candidate[]>): fc.Arbitrary<GuardSpec> {
  return fc.record({
    candidates,
    options: guardOptions,
    auth: fc.constantFrom('pause' as const, 'advanceThenPause' as const, 'surface' as const),
    backoffMs: fc.constantFrom('default' as const, 0, 50, 1_000),
  })
}

/** A call at one of so many guards, with steps of one kind. */
export function callOf(
  guards: number,
  steps: fc.Arbitrary<Step> = step,
  via: CallSpec['via'] = 'settle',
): fc.Arbitrary<CallSpec> {
  return fc.record(
    {
      guard: fc.nat({ max: guards - 1 }),
      startMs: someMs,
      via: fc.constant(via),
      steps: fc.array(steps, { minLength: 1, maxLength: 8 }),
      timeoutMs: someMs,
      inputTokens: fc.constantFrom(1, 10, 40, 200),
      idempotent: fc.boolean(),
      reduce: fc.constantFrom(
        'smaller' as const,
        'smaller' as const,
        'same' as const,
        'nothing' as const,
        'throws' as const,
      ),
      abortAfterMs: fc.oneof(fc.constant(-1), someMs),
    },
    { requiredKeys: ['guard', 'startMs', 'via', 'steps'] },
  )
}

/** What humans do meanwhile. */
export const answers: fc.Arbitrary<readonly Answer[]> = fc.array(
  fc.record({
    atMs: someMs,
    does: fc.constantFrom('resolve' as const, 'resolve' as const, 'decline' as const),
    name: fc.constantFrom(...PROVIDERS),
  }),
  { maxLength: 4 },
)

/** Randomness, its extremes included. */
export const random: fc.Arbitrary<Scenario['random']> = fc.oneof(
  fc.record({ seed: fc.integer() }),
  fc.record({ always: fc.constantFrom(0, 1 - 2 ** -53) }),
)

/** Concurrent calls at one guard, or at two that share their health and half their chain. */
export const scenario: fc.Arbitrary<Scenario> = scenarioOf({})

/** A scenario whose calls take steps of one kind, or whose guards are drawn otherwise. */
export function scenarioOf(parts: {
  readonly guard?: fc.Arbitrary<GuardSpec>
  readonly steps?: fc.Arbitrary<Step>
  readonly via?: CallSpec['via']
  readonly maxCalls?: number
}): fc.Arbitrary<Scenario> {
  const { guard = guardOver(chain), steps = step, via = 'settle', maxCalls = 4 } = parts
  return fc.array(guard, { minLength: 1, maxLength: 2 }).chain((guards) =>
    fc.record({
      guards: fc.constant(guards),
      calls: fc.array(callOf(guards.length, steps, via), { minLength: 1, maxLength: maxCalls }),
      answers,
      random,
    }),
  )
}
