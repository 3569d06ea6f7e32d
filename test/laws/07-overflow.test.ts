import fc from 'fast-check'
import { expect } from 'vitest'
import { failing, said, scenarioOf } from './support/arbitraries.ts'
import { type CallLog, callsOf, withHeardFailures } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { classOf } from './support/failure.ts'
import { law, type See } from './support/law.ts'
import { events } from './support/log.ts'
import type { Scenario } from './support/scenario.ts'

/** Mostly overflows. */
const overflows = scenarioOf({
  steps: failing(
    fc.oneof({ weight: 3, arbitrary: fc.constant({ class: 'context_overflow' }) }, { weight: 1, arbitrary: said }),
  ),
  maxCalls: 3,
})

/** What each call is given first. */
const WHOLE_INPUT = 64

/** Follows one call: which inputs it tried at which windows, and what it knew by then. */
function onlyUp(given: Scenario, call: CallLog, see: See): void {
  const spec = given.calls[call.call]
  const inputs = new Map<string, unknown>()
  let key = ''
  let overflowed: number | 'unknown' = 0
  let last = ''
  for (const entry of withHeardFailures(call.entries)) {
    if (entry.type === 'heard' && classOf(entry.said) === 'context_overflow') {
      const { contextWindow } = entry.invoked
      if (contextWindow === undefined || overflowed === 'unknown') overflowed = 'unknown'
      else overflowed = Math.max(overflowed, contextWindow)
      last = entry.invoked.candidate
    }
    if (entry.type !== 'invoked') continue
    const { idempotencyKey, input, contextWindow, candidate } = entry
    if (idempotencyKey !== key) {
      // A new key is a new input, and each input has one key.
      expect([...inputs.values()]).not.toContain(input)
      expect(inputs.has(idempotencyKey)).toBe(false)
      if (key !== '') {
        expect(spec?.reduce).toBe('smaller')
        expect(input).toBeLessThan([...inputs.values()].at(-1) as number)
        see('reduced')
        // Alone, nothing but the candidate that overflowed can be chosen.
        if (given.calls.length === 1 && given.answers.length === 0 && last !== '') {
          expect(candidate).toBe(last)
          see('reduced for the one that overflowed')
        }
      }
      key = idempotencyKey
      inputs.set(key, input)
      overflowed = 0
    }
    expect(input).toBe(inputs.get(key))
    // A window that is known to be too small is not tried.
    if (input === WHOLE_INPUT && spec?.inputTokens !== undefined && contextWindow !== undefined) {
      expect(contextWindow).toBeGreaterThanOrEqual(spec.inputTokens)
    }
    if (overflowed === 0) continue
    expect(overflowed).not.toBe('unknown')
    expect(contextWindow).toBeGreaterThan(overflowed as number)
    see('went up')
  }
  if (overflowed === 'unknown') see('unknown window')
}

law('7 Overflow only goes up, and terminates', {
  given: overflows,
  holds: async (given, see) => {
    const { log } = await drive(given)
    for (const call of callsOf(log)) {
      onlyUp(given, call, see)
      const guard = given.guards[given.calls[call.call]?.guard ?? 0]
      const reductions = events(call.entries, 'reduce')
      expect(reductions.length).toBeLessThanOrEqual(guard?.options.attempts?.reduce ?? 3)
      expect(reductions.map(({ reduction }) => reduction)).toEqual(reductions.map((_, index) => index + 1))
      if (reductions.length > 0) see(given.calls[call.call]?.reduce ?? '')
      if (reductions.length > 0 && call.invoked.length === 0) see('reduced before anything was sent')
    }
  },
  mustSee: [
    'went up',
    'unknown window',
    'reduced',
    'reduced for the one that overflowed',
    'smaller',
    'same',
    'nothing',
    'throws',
  ],
})

law('7 Overflow only goes up: an overflow neither marks nor delays nor costs budget', {
  given: scenarioOf({ steps: failing(fc.constant({ class: 'context_overflow' })), maxCalls: 3 }).map((drawn) => ({
    ...drawn,
    // A cut attempt is another failure than an overflow.
    guards: drawn.guards.map((guard) => ({ ...guard, options: { ...guard.options, attemptTimeoutMs: 0 } })),
    answers: [],
  })),
  holds: async (given, see) => {
    const { log, health } = await drive(given)
    for (const call of callsOf(log)) {
      if (call.settled.at === call.calledAt) see('at once')
      const timed = given.calls[call.call]
      if (timed?.abortAfterMs === undefined) expect(call.settled.at).toBe(call.calledAt + took(call))
    }
    const { cooling, providers } = health.snapshot()
    expect({ cooling, providers }).toEqual({ cooling: [], providers: [] })
    for (const { delayMs } of events(log, 'advance')) expect(delayMs).toBe(0)
    const names = log.flatMap((entry) => (entry.type === 'event' ? [entry.name as string] : []))
    const heard = ['retry', 'pause', 'cooling', 'auth_prompt', 'chain_dead'].filter((name) => names.includes(name))
    // After a reduction the same target goes on.
    expect(heard.filter((name) => name !== 'retry')).toEqual([])
    for (const { reason, delayMs } of events(log, 'retry'))
      expect({ reason, delayMs }).toEqual({ reason: 'reduced', delayMs: 0 })
  },
  mustSee: ['at once'],
})

/** Milliseconds that a call's own attempts took, as far as they were heard. */
function took(call: CallLog): number {
  let sum = 0
  let startedAt = 0
  for (const entry of call.entries) {
    if (entry.type === 'invoked') startedAt = entry.at
    if (entry.type === 'event' && (entry.name === 'failure' || entry.name === 'success')) sum += entry.at - startedAt
  }
  return sum
}
