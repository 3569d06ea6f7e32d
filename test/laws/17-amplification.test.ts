import fc from 'fast-check'
import { expect } from 'vitest'
import {
  answers,
  callOf,
  chain,
  failing,
  goodHint,
  guardOver,
  random,
  said,
  streamStep,
} from './support/arbitraries.ts'
import { callsOf, withHeardFailures } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { classOf } from './support/failure.ts'
import { law } from './support/law.ts'
import type { Entry } from './support/log.ts'
import type { Said, Scenario } from './support/scenario.ts'

const budget = fc.record({
  cap: fc.constantFrom(0, 1, 3, 10),
  start: fc.constantFrom(0, 1, 2, 3),
  deposit: fc.constantFrom(0, 0.1, 0.5, 1),
})

const failures: fc.Arbitrary<Said> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ class: 'transient' }) },
  { weight: 1, arbitrary: fc.record({ class: fc.constant('transient'), hint: goodHint }) },
  { weight: 1, arbitrary: said },
)

/** Outages: many calls at one health whose budget is all that bounds them. */
const given = fc.boolean().chain((streams) => {
  const steps = streams
    ? fc.oneof(
        failing(failures),
        streamStep.chain((step) => failures.map((ends) => ({ ...step, items: [], ends }))),
      )
    : failing(failures)
  const call = callOf(2, steps, streams ? 'stream' : 'settle')
  return fc
    .record({
      guards: fc.tuple(guardOver(chain), guardOver(chain)),
      calls: fc.array(call, { minLength: 2, maxLength: 8 }),
      answers,
      random,
      budget,
    })
    .map(({ budget: shared, guards, ...rest }): Scenario & { readonly budget: typeof shared } => ({
      ...rest,
      budget: shared,
      guards: guards.map((guard) => ({
        ...guard,
        backoffMs: guard.backoffMs === 'default' ? 20 : guard.backoffMs,
        options: { ...guard.options, budget: shared, attempts: { perTarget: 6, total: 20 } },
      })),
    }))
})

/** Attempts at each candidate that follow one that was transient there, in the same call. */
function repeatsIn(log: readonly Entry[]): {
  readonly repeats: Map<string, number>
  readonly calls: Map<string, number>
} {
  const heard = withHeardFailures(log).filter((entry) => entry.type === 'heard')
  const repeats = new Map<string, number>()
  const calls = new Map<string, number>()
  for (const { invoked } of callsOf(log)) {
    for (const candidate of new Set(invoked.map((each) => each.candidate))) {
      calls.set(candidate, (calls.get(candidate) ?? 0) + 1)
      const there = invoked.filter((each) => each.candidate === candidate)
      // What follows a transient failure there, and was asked with the same input, is a repeat.
      const repeated = there.slice(1).filter((each, index) => {
        const before = there[index]
        const failure = heard.find((entry) => entry.invoked === before)
        return failure !== undefined && classOf(failure.said) === 'transient' && each.input === before?.input
      })
      repeats.set(candidate, (repeats.get(candidate) ?? 0) + repeated.length)
    }
  }
  return { repeats, calls }
}

law("17 Amplification: attempts repeated after transient at one candidate never exceed that candidate's budget", {
  given,
  holds: async (scenario, see) => {
    const { log } = await drive(scenario)
    const { start, deposit } = scenario.budget
    const { repeats, calls } = repeatsIn(log)
    for (const [candidate, repeated] of repeats) {
      const earned = start + deposit * (calls.get(candidate) ?? 0)
      if (repeated > 0) see('repeated')
      if (repeated > start) see('repeated out of deposits')
      if (repeated > 0 && repeated === Math.floor(earned)) see('spent')
      // Tenths do not add up to the last digit.
      expect({ candidate, repeated, earned, within: repeated <= earned + 1e-6 }).toMatchObject({ within: true })
    }
    if (
      log.some((entry) => entry.type === 'event' && entry.name === 'surface' && entry.event.reason === 'budget_spent')
    )
      see('surfaced')
  },
  mustSee: ['repeated', 'repeated out of deposits', 'spent', 'surfaced'],
})
