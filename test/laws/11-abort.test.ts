import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { expect } from 'vitest'
import { abortedBy, trigger } from './abort-trigger.ts'
import { callOf, chain, failing, guardOver, scenarioOf, step, streamStep } from './support/arbitraries.ts'
import { callsOf } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { law } from './support/law.ts'
import type { Entry } from './support/log.ts'
import type { CallSpec, Scenario, Step } from './support/scenario.ts'

const hang = fc.constant({ does: 'hang' as const })
const overflow = fc.constant({ class: 'context_overflow' })
const unary = fc.oneof(
  { weight: 5, arbitrary: step },
  { weight: 1, arbitrary: failing(overflow) },
  { weight: 1, arbitrary: hang },
)
const streamed = fc.oneof(
  { weight: 5, arbitrary: streamStep },
  { weight: 1, arbitrary: failing(overflow) },
  { weight: 1, arbitrary: hang },
  { weight: 1, arbitrary: streamStep.map((each) => ({ ...each, ends: 'hang' as const })) },
)
const via = fc.constantFrom('settle' as const, 'execute' as const, 'stream' as const)
const stepsOf = (of: CallSpec['via']): fc.Arbitrary<Step> => (of === 'stream' ? streamed : unary)

/** Calls that are all aborted some time, so that one that hangs ends too. */
const aborted: fc.Arbitrary<Scenario> = via
  .chain((of) => scenarioOf({ steps: stepsOf(of), via: of }))
  .chain((scenario) =>
    fc.tuple(...scenario.calls.map(() => fc.constantFrom(-1, 0, 1, 100, 500, 1_000, 3_000, 10_000, 60_000))).map(
      (delays): Scenario => ({
        ...scenario,
        calls: scenario.calls.map((call, index) => ({ ...call, abortAfterMs: delays[index] as number })),
      }),
    ),
  )

/** Calls that all wait for one human, who answers; they come back one by one over a second, if they are let. */
const spread: fc.Arbitrary<Scenario> = fc
  .array(fc.record({ abortAfterMs: fc.integer({ min: 1, max: 1_500 }), of: via }), { minLength: 2, maxLength: 4 })
  .map((calls) => ({
    guards: [
      { candidates: [{ id: 'candidate 0', provider: 'acme' }], options: {}, auth: 'pause' as const, backoffMs: 0 },
    ],
    calls: calls.map(({ abortAfterMs, of }) => ({
      guard: 0,
      startMs: 0,
      via: of,
      steps: [{ does: 'fail' as const, afterMs: 0, said: { class: 'auth_required' } }],
      abortAfterMs,
    })),
    answers: [{ atMs: 200, does: 'resolve' as const, name: 'acme' }],
    random: { seed: 0 },
  }))

/** What a call was doing, by what was last heard of it. */
function stateOf(heard: readonly Entry[], answered: boolean): string {
  const last = heard.findLast((entry) => entry.type === 'event' && entry.name !== 'decision')
  if (last?.type !== 'event') return 'start'
  if (last.name === 'retry' || last.name === 'advance') return 'wait'
  return last.name === 'pause' && answered ? 'spread' : last.name
}

law("11 Abort: a call settles at once with the caller's own reason; no later attempt, timer or listener remains", {
  given: fc.oneof({ weight: 5, arbitrary: aborted }, { weight: 1, arbitrary: spread }),
  holds: async (scenario, see) => {
    const { log, heedTimers, signals } = await drive(scenario)
    for (const { call, calledAt, entries, settled } of callsOf(log)) {
      const at = entries.findIndex((entry) => entry.type === 'aborted')
      const abort = entries[at]
      if (abort?.type !== 'aborted' || at > entries.indexOf(settled)) continue
      const of = scenario.calls[call]?.via
      const answered = log.slice(0, log.indexOf(abort)).some((entry) => entry.type === 'answers')
      see(`${of}: ${stateOf(entries.slice(0, at), answered)}`)

      expect(settled).toMatchObject({ at: Math.max(abort.at, calledAt), ok: false })
      expect(settled.error).toBe(abort.reason)
      if (of === 'settle') expect(settled.outcome).toMatchObject({ status: 'cancelled' })
      expect(entries.slice(at).filter((entry) => entry.type === 'invoked')).toEqual([])
      expect(entries.slice(entries.indexOf(settled)).filter((entry) => entry.type === 'event')).toEqual([])
    }
    expect(heedTimers()).toBe(0)
    for (const signal of signals) if (signal !== undefined) expect(getEventListeners(signal, 'abort')).toEqual([])
  },
  mustSee: [
    ...['settle', 'execute', 'stream'].flatMap((of) =>
      ['start', 'attempt', 'wait', 'pause', 'spread'].map((state) => `${of}: ${state}`),
    ),
    'stream: commit',
  ],
})

law('11 Abort: from within a listener, an invocation or a reduction it is as much at once', {
  given: fc.record({
    call: via.chain((of) => callOf(1, stepsOf(of), of)),
    guard: guardOver(chain).map((guard) => ({
      ...guard,
      // Nothing else ends what hangs.
      options: { ...guard.options, timeoutMs: guard.options.timeoutMs || 60_000, idleTimeoutMs: 60_000 },
    })),
    trigger,
  }),
  holds: async ({ call, guard, trigger: pulledIn }, see) => {
    const { pulled, reason, error, ...rest } = await abortedBy(call, guard, pulledIn)
    if (pulled) {
      see(call.via)
      see(pulledIn.in)
      expect(error).toBe(reason)
      // An attempt that was reported has started: skipping it then would make the count a lie.
      const invokedLater = pulledIn.in === 'attempt' ? 1 : 0
      expect(rest).toEqual({ atOnce: true, invokedLater, timersLeft: 0, listenersLeft: 0 })
    } else {
      expect(rest).toMatchObject({ timersLeft: 0, listenersLeft: 0 })
    }
  },
  mustSee: [
    ...['settle', 'execute', 'stream', 'attempt', 'failure', 'retry', 'advance', 'pause', 'reduce', 'commit'],
    ...['auth_prompt', 'cooling', 'invocation', 'reduction', 'reading'],
  ],
})
