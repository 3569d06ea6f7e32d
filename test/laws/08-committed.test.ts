import fc from 'fast-check'
import { isHeedError } from 'heed'
import { expect } from 'vitest'
import { said, scenarioOf, step, streamStep } from './support/arbitraries.ts'
import { callsOf, withHeardFailures } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { law } from './support/law.ts'
import { events, type Invoked } from './support/log.ts'
import type { Step } from './support/scenario.ts'

/** Steps of which some commit by hand, before they fail, answer or hang until they are cut. */
const committing: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: step },
  { weight: 1, arbitrary: fc.constant<Step>({ does: 'hang', commits: true }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('fail' as const),
      afterMs: fc.constantFrom(0, 100),
      said,
      commits: fc.constant(true),
    }),
  },
)

law('8 Committed is committed: no attempt after attempt.commit(), for any class, on any credential', {
  given: fc.constantFrom('settle' as const, 'execute' as const).chain((via) =>
    scenarioOf({ steps: committing, via, maxCalls: 3 }).map((drawn) => ({
      ...drawn,
      // A hanging attempt is cut after a while: cut or failed, declared idempotent or not, it was committed.
      guards: drawn.guards.map((guard) => ({
        ...guard,
        options: { ...guard.options, attemptTimeoutMs: guard.options.attemptTimeoutMs || 500 },
      })),
    })),
  ),
  holds: async (given, see) => {
    const { log } = await drive(given)
    for (const call of callsOf(log)) {
      const told = withHeardFailures(call.entries)
      const cutOrOver = new Set<Invoked>()
      let running: Invoked | undefined
      let committed: Invoked | undefined
      for (const entry of told) {
        if (entry.type === 'invoked') {
          expect(committed).toBeUndefined()
          running = entry
        }
        // An attempt that was cut has nothing more to say.
        if (entry.type === 'commits' && !cutOrOver.has(entry.invoked)) committed = entry.invoked
        const over = entry.type === 'heard' || (entry.type === 'event' && ['failure', 'success'].includes(entry.name))
        if (over && running !== undefined) cutOrOver.add(running)
        if (entry.type === 'event' && entry.name === 'commit') {
          const { number, candidate, by } = entry.event
          expect({ number, candidate, by }).toEqual({ ...nameOf(committed), by: 'attempt' })
        }
      }
      if (committed === undefined) continue
      expect(events(call.entries, 'commit')).toHaveLength(1)
      const failure = told.find((entry) => entry.type === 'heard' && entry.invoked === committed)
      if (failure?.type === 'heard') {
        expect(call.settled.error).toBe(failure.error)
        see(failure.said.class ?? 'no class')
      } else if (isHeedError(call.settled.error)) {
        expect(['attempt_timeout', 'timeout']).toContain(call.settled.error.reason)
        see('cut')
      }
    }
  },
  mustSee: ['transient', 'permanent', 'auth_required', 'context_overflow', 'no class', 'cut'],
})

function nameOf(invoked: Invoked | undefined): Pick<Invoked, 'number' | 'candidate'> | undefined {
  return invoked === undefined ? undefined : { number: invoked.number, candidate: invoked.candidate }
}

/** Streams, some with more preamble than is held. */
const streams: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: streamStep },
  {
    weight: 1,
    arbitrary: streamStep.map((each) => ({
      ...each,
      gapMs: 0,
      items: Array.from({ length: 66 }, () => 'preamble' as const),
    })),
  },
)

interface Item {
  readonly kind: 'content' | 'preamble'
  readonly index: number
  readonly number: number
}

law('8 Committed is committed: no attempt after the first content item, and items of one attempt only', {
  given: scenarioOf({ steps: streams, via: 'stream', maxCalls: 3 }),
  holds: async (given, see) => {
    const { log } = await drive(given)
    for (const call of callsOf(log)) {
      const told = withHeardFailures(call.entries)
      const first = told.findIndex((entry) => entry.type === 'item' && (entry.item as Item).kind === 'content')
      const items = told.flatMap((entry) => (entry.type === 'item' ? [entry.item as Item] : []))
      const [commit] = events(call.entries, 'commit')
      // One preamble, none of it twice, and none of an attempt that was given up.
      expect(new Set(items.map(({ number }) => number)).size).toBeLessThanOrEqual(1)
      expect(items.map(({ index }) => index)).toEqual(items.map((_, index) => index))
      if (commit !== undefined) {
        const place = told.findIndex((entry) => entry.type === 'event' && entry.name === 'commit')
        expect(told.slice(place).filter((entry) => entry.type === 'invoked')).toEqual([])
        see(commit.by)
        if (commit.number > 1) see('after other failures')
      }
      if (first < 0) continue
      expect(commit).toBeDefined()
      expect(told.slice(first).filter((entry) => entry.type === 'invoked')).toEqual([])
      const failure = told.slice(first).find((entry) => entry.type === 'heard')
      if (failure?.type !== 'heard') continue
      expect(call.settled.error).toBe(failure.error)
      see(failure.said.class ?? 'no class')
    }
  },
  mustSee: [
    'content',
    'held_limit',
    'after other failures',
    'transient',
    'permanent',
    'auth_required',
    'context_overflow',
    'no class',
  ],
})
