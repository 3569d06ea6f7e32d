import fc from 'fast-check'
import { type AttemptRecord, isHeedError, type Outcome } from 'heed'
import { expect } from 'vitest'
import { answers, scenarioOf, step, streamStep } from './support/arbitraries.ts'
import { type CallLog, callsOf, withHeardFailures } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { classOf, hintOf } from './support/failure.ts'
import { law } from './support/law.ts'
import { events, microseconds } from './support/log.ts'
import type { Scenario, Step } from './support/scenario.ts'

const scenarios: fc.Arbitrary<Scenario> = fc
  .constantFrom('settle' as const, 'execute' as const, 'stream' as const)
  .chain((via) => {
    const steps: fc.Arbitrary<Step> =
      via === 'stream'
        ? fc.oneof(
            streamStep,
            step.filter(({ does }) => does === 'fail'),
          )
        : step
    return fc
      .tuple(scenarioOf({ steps, via, maxCalls: 3 }), answers)
      .map(([drawn, more]) => ({ ...drawn, answers: [...drawn.answers, ...more] }))
  })

/** The attempts that a call must report: those that were invoked, with what each was told and had waited. */
function due(call: CallLog): readonly AttemptRecord[] {
  const records: { -readonly [K in keyof AttemptRecord]: AttemptRecord[K] }[] = []
  let freeFrom = call.calledAt
  for (const entry of withHeardFailures(call.entries)) {
    if (entry.type === 'invoked') {
      const { candidate, credential } = entry
      const waited_ms = entry.at - freeFrom
      records.push({ candidate, ...(credential === undefined ? {} : { credential }), waited_ms })
    }
    const current = records.at(-1)
    if (entry.type === 'heard' && current !== undefined) {
      const stated = classOf(entry.said)
      const hint = hintOf(entry.said)
      if (stated !== undefined) current.class = stated
      if (hint !== undefined) current.retry_after_secs = hint
    }
    const name = entry.type === 'event' ? entry.name : entry.type
    if (name === 'heard' || name === 'failure') freeFrom = entry.at
  }
  return records
}

/** Waits are sums of fractions, so they are compared to the microsecond. */
function rounded(records: readonly AttemptRecord[]): readonly AttemptRecord[] {
  return records.map((record) => ({ ...record, waited_ms: microseconds(record.waited_ms) }))
}

law('12 Honest count: reported attempts equal the invocations made, in order, each with what it was told', {
  given: scenarios,
  holds: async (given, see) => {
    const { log } = await drive(given)
    for (const call of callsOf(log)) {
      const made = rounded(due(call))
      const { error } = call.settled
      const outcome = call.settled.outcome as Outcome<unknown, unknown> | undefined
      if (outcome !== undefined) {
        expect(rounded(outcome.attempts)).toEqual(made)
        if (outcome.status === 'completed') expect(rounded(outcome.served.attempts)).toEqual(made)
        see(outcome.status)
      }
      if (isHeedError(error)) {
        expect(rounded(error.attempts)).toEqual(made)
        expect(rounded(error.toJSON().attempts)).toEqual(made.map(({ credential: _private, ...record }) => record))
        see(made.length === 0 ? 'surfaced with no attempt' : 'surfaced')
      }
      if (made.some(({ waited_ms }) => waited_ms > 0)) see('waited')
      if (made.some((record) => record.retry_after_secs !== undefined)) see('hinted')
    }
  },
  mustSee: [
    'completed',
    'failed',
    'suspended',
    'cancelled',
    'surfaced',
    'surfaced with no attempt',
    'waited',
    'hinted',
  ],
})

law('12 Honest count: every attempt is one event and ends in one success or failure, every call in one', {
  given: scenarios,
  holds: async (given, see) => {
    const { log } = await drive(given)
    for (const call of callsOf(log)) {
      const started = events(call.entries, 'attempt').map(({ candidate, credential, number, targetAttempt, at }) => {
        return { candidate, credential, number, targetAttempt, at }
      })
      const made = call.invoked.map(({ candidate, credential, number, targetAttempt, at }) => {
        return { candidate, credential, number, targetAttempt, at }
      })
      expect(started).toEqual(made)
      expect(made.map(({ number }) => number)).toEqual(made.map((_, index) => index + 1))
      const successes = events(call.entries, 'success')
      const surfaces = events(call.entries, 'surface')
      const failures = events(call.entries, 'failure')
      expect(successes.length + surfaces.length).toBe(1)
      expect(successes.length + failures.length).toBe(made.length)
      expect(failures.map(({ number }) => number)).toEqual(failures.map((_, index) => index + 1))
      for (const { attempts } of [...successes, ...surfaces]) expect(attempts).toBe(made.length)
      expect(successes.length === 1).toBe(call.settled.ok)
      // All that is to be said is said before the call settles.
      const over = call.entries.findIndex((entry) => entry.type === 'settled')
      expect(call.entries.slice(over).filter((entry) => entry.type === 'event')).toEqual([])
      see(given.calls[call.call]?.via ?? '')
      see(call.settled.ok ? 'success' : 'surface')
      for (const { found } of failures) if (found !== undefined) see(found)
    }
  },
  mustSee: [
    'settle',
    'execute',
    'stream',
    'success',
    'surface',
    'aborted',
    'attempt_timeout',
    'timeout',
    'incomplete_stream',
  ],
})
