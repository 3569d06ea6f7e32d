import fc from 'fast-check'
import { expect } from 'vitest'
import { chain, failing, goodHint, guardOver, knownClass, said, scenarioOf, streamStep } from './support/arbitraries.ts'
import { callsOf, withHeardFailures } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { classOf } from './support/failure.ts'
import { law } from './support/law.ts'
import { events } from './support/log.ts'
import type { GuardSpec, Said } from './support/scenario.ts'

/** Mostly permanent, so that whole chains die; and mostly transient, so that they are nearly dead. */
const deadly: fc.Arbitrary<Said> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ class: 'permanent' }) },
  { weight: 1, arbitrary: fc.constant({ class: 'permanent', scope: 'provider' as const }) },
  { weight: 1, arbitrary: fc.record({ class: fc.constant('transient'), hint: goodHint }) },
  { weight: 1, arbitrary: fc.record({ class: knownClass }) },
  { weight: 1, arbitrary: said },
)
const failures = fc.oneof(
  { weight: 3, arbitrary: deadly },
  { weight: 1, arbitrary: fc.constant({ class: 'transient' }) },
)

const given = fc.boolean().chain((streams) =>
  scenarioOf({
    guard: guardOver(chain),
    steps: streams
      ? fc.oneof(
          failing(failures),
          streamStep.chain((step) => failures.map((ends) => ({ ...step, ends }))),
        )
      : failing(failures),
    via: streams ? 'stream' : 'settle',
  }),
)

law('16 Chain-dead is honest: it is raised where every candidate is permanently refused, and never otherwise', {
  given,
  holds: async (scenario, see) => {
    const { log } = await drive(scenario)
    const heard = withHeardFailures(log).filter((entry) => entry.type === 'heard')
    for (const { call, callId, entries } of callsOf(log)) {
      const { candidates } = scenario.guards[scenario.calls[call]?.guard ?? 0] as GuardSpec
      const refusals = heard.filter((each) => each.invoked.call === call && classOf(each.said) === 'permanent')
      const dead = candidates.filter(({ id, provider }) =>
        refusals.some(
          ({ invoked, said: { scope } }) =>
            invoked.candidate === id || (scope === 'provider' && invoked.provider === provider),
        ),
      )
      const alarms = events(log, 'chain_dead').filter((event) => event.callId === callId)
      const surfaced = events(entries, 'surface')[0]
      if (alarms.length > 0) {
        see(candidates.length > 1 ? 'a chain died' : 'a chain of one died')
        expect(dead.map(({ id }) => id)).toEqual(candidates.map(({ id }) => id))
        expect(alarms.map((alarm) => alarm.candidates)).toEqual([candidates.map(({ id }) => id)])
      } else if (surfaced !== undefined) {
        if (surfaced.class === 'transient') see('transient exhaustion')
        if (dead.length > 0 && dead.length < candidates.length) see('a chain that is partly dead')
      }
      if (surfaced?.reason === 'all_permanent') expect(alarms).toHaveLength(1)
      // One that is dead whole surfaces, unless something else ended the call in the same moment.
      if (dead.length === candidates.length && surfaced?.class === 'permanent') expect(alarms).toHaveLength(1)
    }
  },
  mustSee: ['a chain died', 'a chain of one died', 'transient exhaustion', 'a chain that is partly dead'],
})
