import fc from 'fast-check'
import { isHeedError } from 'heed'
import { expect } from 'vitest'
import { answers, scenarioOf, step } from './support/arbitraries.ts'
import { type CallLog, callsOf } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { law, type See } from './support/law.ts'
import { type Entry, microseconds } from './support/log.ts'
import type { Scenario, Step } from './support/scenario.ts'
import { waitingOften, waitingTogether } from './support/waiting.ts'

/** Calls with a deadline, of which some meet attempts that never settle. */
const hurried: fc.Arbitrary<Scenario> = fc
  .tuple(
    scenarioOf({
      steps: fc.oneof({ weight: 10, arbitrary: step }, { weight: 1, arbitrary: fc.constant<Step>({ does: 'hang' }) }),
    }),
    answers,
    fc.constantFrom(1, 500, 2_000, 30_000),
  )
  .map(([drawn, more, timeoutMs]) => ({
    ...drawn,
    guards: drawn.guards.map((guard) => ({
      ...guard,
      options: { ...guard.options, timeoutMs: guard.options.timeoutMs || timeoutMs },
    })),
    calls: drawn.calls.map(({ timeoutMs: own, ...call }) =>
      own === undefined ? call : { ...call, timeoutMs: own || 700 },
    ),
    answers: [...drawn.answers, ...more],
  }))

/** Those of the drawn calls whose guards set a deadline. */
const deadlined = fc
  .oneof(waitingTogether, waitingOften)
  .filter(({ guards }) => guards.every(({ options }) => (options.timeoutMs ?? 0) > 0))
  .map((drawn) => ({ ...drawn, calls: drawn.calls.map(({ timeoutMs: _own, ...call }) => call) }))

function deadlineOf(given: Scenario, call: CallLog): number {
  const spec = given.calls[call.call]
  return call.calledAt + (spec?.timeoutMs ?? given.guards[spec?.guard ?? 0]?.options.timeoutMs ?? 0)
}

/**
 * Whether a call settles at a time at which it may: when something happens to it (an attempt or a pause ends, a wait
 * is over, its caller aborts), and at the deadline only where that cut an attempt or a pause.
 */
function settlesInTime(call: CallLog, deadline: number, see: See): boolean {
  const due = new Set([call.calledAt])
  const waitEnds: number[] = []
  let busy: 'attempt' | 'pause' | undefined
  for (const entry of call.entries) {
    const name = entry.type === 'event' ? entry.name : entry.type
    if (name === 'settled') break
    if (name === 'invoked') busy = 'attempt'
    if (name === 'pause') busy = 'pause'
    if (['failure', 'success', 'resume'].includes(name)) busy = undefined
    if (['failure', 'success', 'resume', 'aborted', 'reduce'].includes(name)) due.add(entry.at)
    if (entry.type !== 'event' || (entry.name !== 'retry' && entry.name !== 'advance')) continue
    const { delayMs } = entry.event
    waitEnds.push(microseconds(entry.at + delayMs))
    if (delayMs === 0) continue
    // A wait that ends with the deadline leaves no time for the attempt that it is for.
    expect(entry.at + delayMs).toBeLessThan(deadline)
    see('waited')
  }
  if (busy !== undefined) due.add(deadline)
  const settledAt = microseconds(call.settled.at)
  // Timers take whole milliseconds, so that a wait may end that much later than it was meant to.
  return due.has(call.settled.at) || waitEnds.some((end) => end <= settledAt && settledAt < end + microseconds(1))
}

/** Calls that were paused when a human answered in time, and went on too late. */
function answeredInVain(
  given: Scenario,
  log: readonly Entry[],
  calls: readonly CallLog[],
  see: See,
): readonly unknown[] {
  const paused = new Map<string, { readonly provider: string; answeredAt?: number }>()
  const late: unknown[] = []
  for (const entry of log) {
    if (entry.type === 'answers' && entry.answer.does === 'resolve') {
      for (const each of paused.values()) if (each.provider === entry.answer.name) each.answeredAt ??= entry.at
    }
    if (entry.type !== 'event') continue
    if (entry.name === 'pause') paused.set(entry.event.callId, { provider: entry.event.provider })
    if (entry.name !== 'resume') continue
    const { callId, at } = entry.event
    const call = calls.find((each) => each.callId === callId)
    const answeredAt = paused.get(callId)?.answeredAt
    if (call === undefined || answeredAt === undefined) continue
    const deadline = deadlineOf(given, call)
    if (answeredAt < deadline && at >= deadline) late.push({ call: call.call, at, deadline })
    else see('answered in time')
    paused.delete(callId)
  }
  return late
}

law('10 Deadline: no wait is begun that cannot end before the deadline; such a call settles at once', {
  given: fc.oneof({ weight: 3, arbitrary: hurried }, { weight: 1, arbitrary: deadlined }),
  holds: async (given, see) => {
    const { log } = await drive(given)
    const calls = callsOf(log)
    // Holding back behind the first call that resumes is a wait too.
    expect(answeredInVain(given, log, calls, see)).toEqual([])
    for (const call of calls) {
      const deadline = deadlineOf(given, call)
      const { settled } = call
      expect(settled.at).toBeLessThanOrEqual(deadline)
      for (const { at } of call.invoked) expect(at).toBeLessThan(deadline)
      expect({ call, deadline, inTime: settlesInTime(call, deadline, see) }).toMatchObject({ inTime: true })
      if (settled.at === deadline) see('cut by the deadline')
      if (isHeedError(settled.error) && settled.error.reason === 'wait_too_long') see('settled early')
      if (call.entries.some((entry) => entry.type === 'event' && entry.name === 'pause')) see('paused')
    }
  },
  mustSee: ['waited', 'cut by the deadline', 'settled early', 'paused', 'answered in time'],
})
