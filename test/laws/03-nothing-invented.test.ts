import fc from 'fast-check'
import { type AttemptRecord, type Outcome, readClassification } from 'heed'
import { expect } from 'vitest'
import { scenarioOf, step } from './support/arbitraries.ts'
import { callsOf, withHeardFailures } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { law } from './support/law.ts'
import type { Step } from './support/scenario.ts'

/** Whatever may be thrown, with what tempts to a guess; nothing of it states a class. */
const unclassifiedValue: fc.Arbitrary<unknown> = fc
  .oneof(
    fc.record(
      {
        status: fc.constantFrom(401, 403, 413, 429, 500, 503),
        code: fc.constantFrom('insufficient_quota', 'rate_limit_exceeded', 'context_length_exceeded', 'ECONNREFUSED'),
        message: fc.constantFrom('transient', 'rate limited, retry after 5 seconds', 'permanent failure'),
        headers: fc.constant({ 'retry-after': '5' }),
        retry_after_secs: fc.constantFrom(0, 5),
        type: fc.constantFrom('transient', 'authentication_error'),
        Class: fc.constant('transient'),
        class: fc.constantFrom(null, 429, { class: 'transient' }, ['transient'], true),
      },
      { requiredKeys: [] },
    ),
    fc.constantFrom(undefined, null, 0, '', 'transient', Symbol.for('transient'), 429n),
    fc.constantFrom('transient', 'ETIMEDOUT').map((text) => Object.assign(new TypeError(text), { code: text })),
    fc.anything(),
  )
  .filter((value) => readClassification(value).class === undefined)

const throwing: fc.Arbitrary<Step> = fc.record({
  does: fc.constant('throw' as const),
  afterMs: fc.constantFrom(0, 0, 100),
  value: unclassifiedValue,
})

law('3 Nothing invented: a failure with no class gets none', {
  given: fc
    .constantFrom('settle' as const, 'execute' as const)
    .chain((via) => scenarioOf({ via, steps: fc.oneof(throwing, step), maxCalls: 3 })),
  holds: async (given, see) => {
    const { log } = await drive(given)
    for (const call of callsOf(log)) {
      const told = withHeardFailures(call.entries)
      const place = told.findIndex((entry) => entry.type === 'heard' && entry.invoked.step.does === 'throw')
      const classless = told[place]
      if (classless?.type !== 'heard') continue
      expect(call.settled.ok).toBe(false)
      expect(call.settled.error).toBe(classless.error)
      expect(call.settled.at).toBe(classless.at)
      expect(call.invoked.at(-1)).toBe(classless.invoked)
      for (const entry of call.entries) {
        if (entry.type !== 'event') continue
        if (entry.name === 'failure' && entry.event.number === classless.invoked.number) {
          expect(entry.event).not.toHaveProperty('class')
          expect(entry.event).not.toHaveProperty('retryAfterSecs')
        }
        if (entry.name === 'surface') {
          expect(entry.event).not.toHaveProperty('class')
          expect(entry.event.reason).toBe('unclassified')
        }
        if (entry.name === 'passthrough') expect(entry.event.reason).toBe('unclassified')
        if (entry.name === 'chain_dead') throw new Error('a failure without a class raised the alarm')
      }
      const outcome = call.settled.outcome as Outcome<unknown, unknown> | undefined
      if (outcome !== undefined) {
        expect(outcome).toMatchObject({ status: 'failed' })
        expect(outcome).not.toHaveProperty('class')
        expect(outcome).not.toHaveProperty('retry_after_secs')
        expect(outcome.attempts.at(-1) as AttemptRecord).not.toHaveProperty('class')
      }
      see(classless.invoked.number > 1 ? 'after other failures' : 'at once')
      see(typeof classless.error)
    }
  },
  mustSee: ['after other failures', 'at once', 'object', 'undefined', 'string', 'symbol'],
})
