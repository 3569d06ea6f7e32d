import fc from 'fast-check'
import { isHeedError } from 'heed'
import { expect } from 'vitest'
import { chain, guardOver, random, scenario } from './support/arbitraries.ts'
import { callsOf, withHeardFailures } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { law } from './support/law.ts'
import { events } from './support/log.ts'
import type { CallSpec, Said, Scenario } from './support/scenario.ts'

/** Says that only this candidate is dead, or that its provider is. */
const permanentSaid: fc.Arbitrary<Said> = fc.record(
  {
    class: fc.constant('permanent'),
    hint: fc.constantFrom(0, 30),
    scope: fc.constant('provider' as const),
    exhausted: fc.boolean(),
  },
  { requiredKeys: ['class'] },
)

/** Calls of which every invocation is refused permanently, at once. */
const allPermanent: fc.Arbitrary<Scenario> = fc
  .tuple(
    guardOver(chain),
    fc.array(fc.array(permanentSaid, { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
    random,
  )
  .map(([guard, refusals, drawn]) => ({
    guards: [guard],
    calls: refusals.map(
      (each): CallSpec => ({
        guard: 0,
        startMs: 0,
        via: 'settle',
        steps: each.map((said) => ({ does: 'fail', afterMs: 0, said })),
      }),
    ),
    answers: [],
    random: drawn,
  }))

law('5 Permanent is final: K permanent candidates cost exactly K attempts and no sleep', {
  given: allPermanent,
  holds: async (given, see) => {
    const { log, clock, heedTimers } = await drive(given)
    for (const call of callsOf(log)) {
      const dead = new Set<string>()
      const due = given.guards[0]?.candidates.filter(({ id, provider }) => {
        if (dead.has(provider)) return false
        const attempt = call.invoked.find(({ candidate }) => candidate === id)
        const step = attempt?.step
        if (step?.does === 'fail' && step.said.scope === 'provider') dead.add(provider)
        return true
      })
      expect(call.invoked.map(({ candidate }) => candidate)).toEqual(due?.map(({ id }) => id))
      expect(call.settled.ok).toBe(false)
      const { error } = call.settled
      if (!isHeedError(error)) throw new Error('not made of several outcomes')
      expect(error).toMatchObject({ reason: 'all_permanent', class: 'permanent', retryable: false, exhausted: true })
      expect(error.attempts).toHaveLength(call.invoked.length)
      expect(events(call.entries, 'chain_dead')).toHaveLength(1)
      if (dead.size > 0) see('a whole provider')
      if (call.invoked.length > 1) see('several attempts')
    }
    expect(clock.now()).toBe(0)
    expect(heedTimers()).toBe(0)
    for (const { delayMs } of events(log, 'advance')) expect(delayMs).toBe(0)
  },
  mustSee: ['a whole provider', 'several attempts'],
})

law('5 Permanent is final: in the midst of other failures too, a dead candidate is not attempted again', {
  given: scenario,
  holds: async (given, see) => {
    const { log } = await drive(given)
    for (const call of callsOf(log)) {
      const deadCandidates = new Set<string>()
      const deadProviders = new Set<string>()
      for (const entry of withHeardFailures(call.entries)) {
        if (entry.type === 'invoked') {
          expect(deadCandidates).not.toContain(entry.candidate)
          expect(deadProviders).not.toContain(entry.provider)
          if (deadCandidates.size > 0) see('went on elsewhere')
        }
        if (entry.type !== 'heard' || entry.said.class !== 'permanent') continue
        deadCandidates.add(entry.invoked.candidate)
        if (entry.said.scope === 'provider') deadProviders.add(entry.invoked.provider)
        see('permanent')
      }
    }
  },
  mustSee: ['permanent', 'went on elsewhere'],
})
