import fc from 'fast-check'
import { chain, failing, guardOver, random, said, scenarioOf } from './arbitraries.ts'
import type { Scenario } from './scenario.ts'

/** Several calls that wait for the same human, who answers near the end of what they may wait. */
export const waitingTogether: fc.Arbitrary<Scenario> = fc
  .record({
    count: fc.integer({ min: 2, max: 5 }),
    limitMs: fc.constantFrom(100, 2_000, 10_000),
    beforeMs: fc.constantFrom(0, 1, 99, 250, 700, 1_500),
    bound: fc.constantFrom('maxPauseMs' as const, 'timeoutMs' as const),
    steps: fc.array(failing(said), { maxLength: 3 }),
    random,
  })
  .map(({ count, limitMs, beforeMs, bound, steps, random: drawn }) => ({
    guards: [
      {
        candidates: [
          { id: 'candidate 0', provider: 'acme' },
          { id: 'candidate 1', provider: 'globex' },
        ],
        options: { [bound]: limitMs },
        auth: 'pause' as const,
        backoffMs: 'default' as const,
      },
    ],
    calls: Array.from({ length: count }, () => ({
      guard: 0,
      startMs: 0,
      via: 'settle' as const,
      steps: [{ does: 'fail' as const, afterMs: 0, said: { class: 'auth_required' } }, ...steps],
    })),
    answers: [{ atMs: Math.max(1, limitMs - beforeMs), does: 'resolve' as const, name: 'acme' }],
    random: drawn,
  }))

/** Calls that wait again and again, against limits that their waits meet exactly or in sum. */
export const waitingOften: fc.Arbitrary<Scenario> = scenarioOf({
  guard: guardOver(chain.map((candidates) => candidates.slice(0, 2))).chain((guard) =>
    fc.constantFrom(1_000, 1_500, 2_000, 3_000, 5_000).map((limitMs) => ({
      ...guard,
      options: {
        attempts: { perTarget: 4 },
        maxWaitMs: limitMs,
        timeoutMs: guard.options.timeoutMs === undefined ? 0 : limitMs,
      },
    })),
  ),
  steps: failing(
    fc.oneof(
      fc.constant({ class: 'transient' }),
      fc.record({ class: fc.constant('transient'), hint: fc.constantFrom(0.5, 1, 2) }),
    ),
  ),
  maxCalls: 2,
})
