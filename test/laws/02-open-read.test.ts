import fc from 'fast-check'
import { readClassification } from 'heed'
import { expect } from 'vitest'
import { badHint, failing, goodHint, said, scenarioOf, streamStep, unknownClass } from './support/arbitraries.ts'
import { callsOf, withHeardFailures } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { classOf } from './support/failure.ts'
import { law } from './support/law.ts'
import type { Said } from './support/scenario.ts'

const KNOWN = ['transient', 'permanent', 'auth_required', 'context_overflow']

/** Any statement of a class that is not in the set, whatever stands beside it. */
const unknownSaid: fc.Arbitrary<Said> = fc.record(
  {
    class: unknownClass,
    hint: fc.oneof(goodHint, badHint),
    exhausted: fc.boolean(),
    ambiguous: fc.boolean(),
    scope: fc.constant('provider' as const),
    asideHint: goodHint,
  },
  { requiredKeys: ['class'] },
)

const steps = failing(fc.oneof({ weight: 2, arbitrary: unknownSaid }, { weight: 3, arbitrary: said }))

law('2 Open read: every string is a readable class', {
  given: fc.oneof(unknownClass, fc.constantFrom(...KNOWN, 'auth')),
  holds: (stated, see) => {
    const read = stated === 'auth' ? 'auth_required' : stated
    const places = [
      { class: stated },
      { error: { class: stated } },
      { result: { error: { class: stated } } },
      { code: 'refused', detail: { class: stated } },
      Object.assign(new Error('outer', { cause: { class: stated } }), { status: 500 }),
    ]
    for (const place of places) expect(readClassification(place).class).toBe(read)
    see(KNOWN.includes(read) ? 'known' : 'unknown')
  },
  mustSee: ['known', 'unknown'],
})

law('2 Open read: an unknown class surfaces the identical object, and no further attempt is made', {
  given: fc.constantFrom('settle' as const, 'execute' as const, 'stream' as const).chain((via) =>
    scenarioOf({
      via,
      steps:
        via === 'stream'
          ? fc.oneof(
              steps,
              streamStep.chain((each) => unknownSaid.map((ends) => ({ ...each, ends }))),
            )
          : steps,
      maxCalls: 3,
    }),
  ),
  holds: async (given, see) => {
    const { log, health } = await drive(given)
    for (const call of callsOf(log)) {
      const told = withHeardFailures(call.entries)
      const place = told.findIndex((entry) => entry.type === 'heard' && isUnknown(entry.said))
      if (place < 0) continue
      const unknown = told[place]
      if (unknown?.type !== 'heard') continue
      expect(call.settled.error).toBe(unknown.error)
      expect(call.settled.at).toBe(unknown.at)
      const after = told.slice(place + 1).map((entry) => (entry.type === 'event' ? entry.name : entry.type))
      // Nothing but the report of it: no attempt, no wait, no mark. (The caller may abort what is over.)
      const report = [
        'decision',
        'passthrough',
        'surface',
        'settled',
        'malformed',
        'commit',
        'chain_dead',
        'closed',
        'aborted',
      ]
      expect(after.filter((name) => !report.includes(name))).toEqual([])
      see(unknown.invoked.number > 1 ? 'after other failures' : 'at once')
      see(given.calls[call.call]?.via ?? '')
      if (after.includes('passthrough')) see('reported')
    }
    const asked = withHeardFailures(log).flatMap((entry) =>
      entry.type === 'heard' && classOf(entry.said) === 'transient' ? [entry.invoked.candidate] : [],
    )
    expect(health.snapshot().cooling.filter(({ candidate }) => !asked.includes(candidate))).toEqual([])
  },
  mustSee: ['after other failures', 'at once', 'settle', 'execute', 'stream', 'reported'],
})

function isUnknown(what: Said): boolean {
  return what.class !== undefined && !KNOWN.includes(classOf(what) ?? '')
}
