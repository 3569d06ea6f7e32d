import fc from 'fast-check'
import { type DecideInput, decide, type Outcome } from 'heed'
import { expect } from 'vitest'
import { answers, callOf, chain, guardOver, scenarioOf, step, streamStep } from './support/arbitraries.ts'
import { callsOf } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { law } from './support/law.ts'
import { type Entry, events } from './support/log.ts'
import type { Answer, CallSpec, GuardSpec, Said, Scenario } from './support/scenario.ts'

law('13 Isolation: each recorded decision, replayed alone through decide, is equal', {
  given: fc
    .boolean()
    .chain((streamed) =>
      fc.tuple(
        scenarioOf({
          steps: streamed
            ? fc.oneof(
                streamStep,
                step.filter(({ does }) => does === 'fail'),
              )
            : step,
          via: streamed ? 'stream' : 'settle',
          maxCalls: 3,
        }),
        answers,
      ),
    )
    .map(([drawn, more]): Scenario => ({ ...drawn, answers: [...drawn.answers, ...more] })),
  holds: async (given, see) => {
    const { log } = await drive(given)
    const recorded = events(log, 'decision')
    for (const { policy, input, decision } of recorded) {
      const written = JSON.parse(JSON.stringify(input)) as DecideInput
      expect(written).toEqual(input)
      expect(decide(policy, written)).toEqual(decision)
      expect(decide(policy, structuredClone(input))).toEqual(decision)
      see(decision.kind)
      see(input.occasion.kind)
    }
    if (new Set(recorded.map(({ callId }) => callId)).size > 1) see('concurrent')
  },
  mustSee: [
    'concurrent',
    'retry',
    'advance',
    'pause',
    'reduce',
    'surface',
    'start',
    'failure',
    'wake',
    'answered',
    'unanswered',
    'reduced',
    'not_reduced',
  ],
})

/** Limits on the full second. */
function onTheSecond(ms: number): number {
  return Number.isFinite(ms) ? Math.ceil(ms / 1_000) * 1_000 : ms
}

function limitsOnTheSecond(options: GuardSpec['options']): GuardSpec['options'] {
  const limits = ['switchAfterMs', 'maxWaitMs', 'maxPauseMs', 'timeoutMs', 'attemptTimeoutMs'] as const
  const changed = limits.flatMap((name) => {
    const ms = options[name]
    return ms === undefined ? [] : [[name, onTheSecond(ms)] as const]
  })
  return { ...options, ...Object.fromEntries(changed) }
}

function hintInSeconds(said: Said): Said {
  const { hint, asideHint } = said
  return {
    ...said,
    ...(typeof hint === 'number' && Number.isFinite(hint) ? { hint: Math.ceil(hint) } : {}),
    ...(asideHint === undefined ? {} : { asideHint: Math.ceil(asideHint) }),
  }
}

/**
 * No two parties act at the same time: which of an abort and a timeout that are due together comes first is nobody's
 * promise, and the timers of other calls may change it. Limits end on the second, hints and their spread on multiples
 * of 50 ms, an invocation adds 1 ms, and aborts and answers stand in between.
 */
function apart(call: CallSpec): CallSpec {
  const { abortAfterMs, timeoutMs, startMs, steps } = call
  return {
    ...call,
    startMs: onTheSecond(startMs),
    ...(timeoutMs === undefined ? {} : { timeoutMs: onTheSecond(timeoutMs) }),
    ...(abortAfterMs === undefined || abortAfterMs < 0 ? {} : { abortAfterMs: onTheSecond(abortAfterMs) + 525 }),
    steps: steps.map((each) => {
      const timed = 'afterMs' in each && each.afterMs > 0 ? { ...each, afterMs: onTheSecond(each.afterMs) + 1 } : each
      return timed.does === 'fail' ? { ...timed, said: hintInSeconds(timed.said) } : timed
    }),
  }
}

/** Guards that share a health and nothing else, one call each. */
const strangers: fc.Arbitrary<Scenario> = fc.integer({ min: 2, max: 3 }).chain((count) =>
  fc
    .record({
      guards: fc.array(guardOver(chain), { minLength: count, maxLength: count }),
      calls: fc.array(callOf(1), { minLength: count, maxLength: count }),
      answers: fc.array(answers, { minLength: count, maxLength: count }),
      random: fc.record({ always: fc.constantFrom(0, 0.5) }),
    })
    .map(({ guards, calls, answers: each, random }) => ({
      random,
      guards: guards.map((guard, index) => ({
        ...guard,
        options: limitsOnTheSecond(guard.options),
        backoffMs: guard.backoffMs === 'default' ? 500 : guard.backoffMs,
        candidates: guard.candidates.map((candidate) => ({
          ...candidate,
          id: `${index} ${candidate.id}`,
          provider: `${index} ${candidate.provider}`,
        })),
      })),
      calls: calls.map((call, index) => apart({ ...call, guard: index })),
      answers: each.flatMap((some, index) =>
        some.map(({ atMs, does, name }): Answer => ({ atMs: onTheSecond(atMs) + 275, does, name: `${index} ${name}` })),
      ),
    })),
)

/** What one call did and came to, its random id left out. */
function told(log: readonly Entry[], call: number): readonly unknown[] {
  const entries = callsOf(log).find((each) => each.call === call)?.entries ?? []
  return entries.flatMap((entry): readonly unknown[] => {
    if (entry.type === 'invoked')
      return [['invoked', entry.at, entry.candidate, entry.credential, entry.number, entry.input]]
    if (entry.type === 'event') {
      const {
        callId: _callId,
        policy: _policy,
        input: _input,
        ...said
      } = entry.event as unknown as Record<string, unknown>
      return [[entry.name, said]]
    }
    return entry.type === 'settled' ? [['settled', entry.at, entry.ok, entry.value, String(entry.error)]] : []
  })
}

law('13 Isolation: calls that share neither candidate nor provider do not touch each other', {
  given: strangers,
  holds: async (given, see) => {
    const { log } = await drive(given)
    for (const [call, spec] of given.calls.entries()) {
      const alone = await drive({
        ...given,
        calls: given.calls.map((each, index) => (index === call ? each : { ...each, abortAfterMs: -1 })),
      })
      expect(told(log, call)).toEqual(told(alone.log, call))
      if (spec.abortAfterMs === undefined) see('compared')
    }
    if (events(log, 'retry').length > 1) see('retries')
    if (events(log, 'pause').length > 1) see('pauses')
  },
  mustSee: ['compared', 'retries', 'pauses'],
})

law('13 Isolation: the attempts that a call reports are its own', {
  given: scenarioOf({ maxCalls: 6 }),
  holds: async (given, see) => {
    const { log } = await drive(given)
    const ids = new Set<string>()
    for (const call of callsOf(log)) {
      if (call.callId !== undefined) {
        expect(ids).not.toContain(call.callId)
        ids.add(call.callId)
      }
      for (const { callId } of call.invoked) expect(callId).toBe(call.callId)
      const outcome = call.settled.outcome as Outcome<unknown, unknown>
      expect(outcome.attempts.map(({ candidate, credential }) => ({ candidate, credential }))).toEqual(
        call.invoked.map(({ candidate, credential }) => ({ candidate, credential })),
      )
      const last = call.invoked.at(-1)
      if (outcome.status === 'completed') {
        expect(outcome.value).toBe(`answer of ${last?.candidate}`)
        const guard = given.guards[given.calls[call.call]?.guard ?? 0]
        // By identity: the object that the user listed.
        expect(guard?.candidates).toContain(outcome.served.candidate)
        expect(outcome.served.credential).toBe(last?.credential)
        see('served')
      }
      if (call.invoked.length > 1) see('several attempts')
    }
    if (ids.size > 1) see('concurrent')
  },
  mustSee: ['served', 'several attempts', 'concurrent'],
})
