import fc from 'fast-check'
import type { BudgetOptions } from 'heed'
import { expect } from 'vitest'
import { answers, scenarioOf, step, streamStep } from './support/arbitraries.ts'
import { type CallLog, callsOf, withHeardFailures } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { law, type See } from './support/law.ts'
import { type Entry, entries, events, microseconds, targetOf } from './support/log.ts'
import type { GuardSpec, Scenario, Step } from './support/scenario.ts'
import { waitingOften, waitingTogether } from './support/waiting.ts'

/** Invocations that may never settle; the guards cut them. Or streams, with silence cut too. */
const unsettling: fc.Arbitrary<Scenario> = fc
  .tuple(
    fc.boolean().chain((streamed) => {
      const hang: fc.Arbitrary<Step> = fc.constant({ does: 'hang' })
      const silent = streamStep.map((each): Step => ({ ...each, ends: 'hang' }))
      return scenarioOf({
        steps: streamed
          ? fc.oneof(
              { weight: 4, arbitrary: streamStep, waitingOften, waitingTogether },
              { weight: 2, arbitrary: step.filter(({ does }) => does === 'fail') },
              { weight: 1, arbitrary: hang },
              { weight: 1, arbitrary: silent },
            )
          : fc.oneof({ weight: 8, arbitrary: step }, { weight: 1, arbitrary: hang }),
        via: streamed ? 'stream' : 'settle',
      })
    }),
    answers,
  )
  .map(([drawn, more]) => ({
    ...drawn,
    guards: drawn.guards.map((guard) => ({
      ...guard,
      options: {
        ...guard.options,
        attemptTimeoutMs: guard.options.attemptTimeoutMs || 1_000,
        idleTimeoutMs: 1_000,
      },
    })),
    answers: [...drawn.answers, ...more],
  }))

interface Bounds {
  readonly perTarget: number
  readonly total: number
  readonly reduce: number
  readonly maxWaitMs: number
  readonly maxPauseMs: number
  readonly budget: BudgetOptions | false | undefined
}

/** The limits of a guard with the defaults that are promised. */
function boundsOf({ candidates, options }: GuardSpec): Bounds {
  const { attempts, maxWaitMs = 60_000, maxPauseMs = 300_000, budget } = options
  return {
    perTarget: attempts?.perTarget ?? 3,
    total: Math.max(attempts?.total ?? 10, candidates.length),
    reduce: attempts?.reduce ?? 3,
    maxWaitMs,
    maxPauseMs,
    budget,
  }
}

/** Attempts at each target, counted from the provider's last resolution and the candidate's last reduction. */
function attemptsWithinLimits(call: CallLog, log: readonly Entry[], bounds: Bounds, see: See): void {
  const counts = new Map<string, number>()
  const forget = (keep: (target: string) => boolean): void => {
    for (const target of counts.keys()) if (!keep(target)) counts.delete(target)
  }
  const providers = new Map(call.invoked.map((each) => [targetOf(each), each.provider]))
  for (const entry of log) {
    if (entry.type === 'answers' && entry.answer.does === 'resolve') {
      forget((target) => providers.get(target) !== entry.answer.name)
    }
    if (entry.type === 'event' && entry.name === 'reduce' && entry.event.callId === call.callId) {
      forget((target) => target !== entry.event.candidate && !target.startsWith(`${entry.event.candidate} with `))
    }
    if (entry.type !== 'invoked' || entry.call !== call.call) continue
    const target = targetOf(entry)
    const count = (counts.get(target) ?? 0) + 1
    counts.set(target, count)
    expect(count).toBeLessThanOrEqual(bounds.perTarget)
    if (count === bounds.perTarget && count > 1) see('as many as allowed at a target')
  }
  expect(call.invoked.length).toBeLessThanOrEqual(bounds.total)
  if (call.invoked.length === bounds.total && bounds.total > 1) see('as many as allowed in all')
  expect(events(call.entries, 'reduce').length).toBeLessThanOrEqual(bounds.reduce)
}

/** What a call waited in truth: the time in which none of its attempts ran and it was in no pause. */
function idleTimes(call: CallLog): { readonly waitedMs: number; readonly pausesMs: readonly number[] } {
  let freeFrom = call.calledAt
  let running = false
  let pausedAt: number | undefined
  let waitedMs = 0
  const pausesMs: number[] = []
  for (const entry of call.entries) {
    const name = entry.type === 'event' ? entry.name : entry.type
    if (pausedAt !== undefined && (name === 'resume' || name === 'settled')) {
      pausesMs.push(entry.at - pausedAt)
      pausedAt = undefined
      freeFrom = entry.at
    }
    if (name === 'invoked' || name === 'pause' || name === 'settled') {
      if (!running) waitedMs += entry.at - freeFrom
      running = name === 'invoked'
      freeFrom = entry.at
    }
    if (name === 'pause') pausedAt = entry.at
    if (name === 'failure' || name === 'success') {
      running = false
      freeFrom = entry.at
    }
  }
  return { waitedMs, pausesMs }
}

law('9 Bounded: attempts, waits and pauses never exceed their limits, and every call settles', {
  given: fc.oneof(
    { weight: 6, arbitrary: unsettling },
    { weight: 1, arbitrary: waitingTogether },
    { weight: 1, arbitrary: waitingOften },
  ),
  holds: async (given, see) => {
    // A call that would never settle makes the clock throw.
    const { log } = await drive(given)
    expect(entries(log, 'settled')).toHaveLength(given.calls.length)
    for (const call of callsOf(log)) {
      const bounds = boundsOf(given.guards[given.calls[call.call]?.guard ?? 0] as GuardSpec)
      attemptsWithinLimits(call, log, bounds, see)
      const announced = [...events(call.entries, 'retry'), ...events(call.entries, 'advance')]
      const { waitedMs, pausesMs } = idleTimes(call)
      const announcedMs = announced.reduce((sum, { delayMs }) => sum + delayMs, 0)
      expect(microseconds(announcedMs)).toBeLessThanOrEqual(microseconds(bounds.maxWaitMs))
      // Timers take whole milliseconds, so that a wait may end that much later than it was meant to.
      const inTruthMs = announced.reduce((sum, { delayMs }) => sum + Math.ceil(delayMs), 0)
      expect(microseconds(waitedMs)).toBeLessThanOrEqual(microseconds(inTruthMs))
      if (waitedMs > 0) see('waited')
      for (const pausedMs of pausesMs) {
        expect(pausedMs).toBeLessThanOrEqual(bounds.maxPauseMs)
        see(pausedMs === bounds.maxPauseMs ? 'paused as long as allowed' : 'paused')
      }
      for (const { maxMs } of events(call.entries, 'pause')) expect(maxMs).toBeLessThanOrEqual(bounds.maxPauseMs)
      for (const { pausedMs } of events(call.entries, 'resume')) expect(pausedMs).toBeLessThanOrEqual(bounds.maxPauseMs)
      for (const entry of withHeardFailures(call.entries)) {
        if (entry.type === 'event' && entry.name === 'failure') see(entry.event.found ?? '')
      }
      if (events(call.entries, 'surface').some(({ reason }) => reason === 'wait_too_long')) see('wait_too_long')
    }
  },
  mustSee: [
    'waited',
    'paused',
    'paused as long as allowed',
    'as many as allowed at a target',
    'as many as allowed in all',
    'wait_too_long',
    'attempt_timeout',
    'idle_timeout',
    'timeout',
  ],
})
