import fc from 'fast-check'
import { expect } from 'vitest'
import { failing, knownClass, said, scenarioOf, step, streamStep, unknownClass } from './support/arbitraries.ts'
import { callsOf } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { law } from './support/law.ts'
import type { Invoked, Returned } from './support/log.ts'
import type { CallSpec, GuardSpec, Said, Step } from './support/scenario.ts'

const lost: fc.Arbitrary<Said> = fc.record(
  {
    class: fc.oneof({ weight: 4, arbitrary: knownClass }, { weight: 1, arbitrary: unknownClass }),
    ambiguous: fc.constant(true),
  },
  { requiredKeys: ['ambiguous'] },
)
const hang = fc.constant({ does: 'hang' as const })
const unary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: step },
  { weight: 2, arbitrary: failing(lost) },
  { weight: 1, arbitrary: hang },
)
const streamed: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: streamStep.chain((each) => fc.oneof(lost, said).map((ends) => ({ ...each, ends }))) },
  { weight: 1, arbitrary: streamStep.map((each) => ({ ...each, ends: 'end' as const })) },
  { weight: 1, arbitrary: streamStep.map((each) => ({ ...each, ends: 'hang' as const })) },
  { weight: 2, arbitrary: failing(lost) },
  { weight: 1, arbitrary: hang },
)

/** heed's own limits cut whatever hangs, and now and then what does not. */
const given = fc
  .constantFrom('settle' as const, 'execute' as const, 'stream' as const)
  .chain((via) => scenarioOf({ steps: via === 'stream' ? streamed : unary, via }))
  .chain((scenario) =>
    fc.constantFrom(1, 50, 2_000).map((attemptTimeoutMs) => ({
      ...scenario,
      guards: scenario.guards.map((guard) => ({
        ...guard,
        options: { ...guard.options, attemptTimeoutMs, idleTimeoutMs: 500 },
      })),
    })),
  )

/** Why nobody can know whether an attempt was executed; nothing where its end was told. */
function doubt(attempt: Invoked, ended: Returned | undefined, via: CallSpec['via']): string | undefined {
  if (ended === undefined) return attempt.step.does === 'hang' ? 'hung' : 'cut'
  if (ended.said === undefined) return via === 'stream' ? 'incomplete' : undefined
  return ended.said.ambiguous === true ? (ended.said.class === undefined ? 'lost' : 'lost, with a class') : undefined
}

law('19 Ambiguous is not replayed, on any candidate, unless declared idempotent', {
  given,
  holds: async (scenario, see) => {
    const { log } = await drive(scenario)
    for (const { call, entries, invoked, settled } of callsOf(log)) {
      const spec = scenario.calls[call] as CallSpec
      const guard = scenario.guards[spec.guard] as GuardSpec
      const idempotent = spec.idempotent ?? guard.options.idempotent === true
      const returned = entries.filter((entry) => entry.type === 'returned')
      for (const attempt of invoked) {
        const later = invoked[invoked.indexOf(attempt) + 1]
        // An attempt that ends after the next began was cut, whatever it says then.
        const end = returned.find((entry) => entry.invoked === attempt)
        const until = entries.indexOf(later ?? settled)
        const inDoubt = doubt(attempt, end !== undefined && entries.indexOf(end) < until ? end : undefined, spec.via)
        if (inDoubt === undefined) continue
        if (idempotent) {
          see(later === undefined ? 'idempotent, and surfaced' : 'idempotent, and replayed')
          continue
        }
        see(`${spec.via}: ${inDoubt}`)
        if (guard.candidates.length > 1) see('others would have served')
        expect(later).toBeUndefined()
        const aborted = entries.some((entry) => entry.type === 'aborted' && entries.indexOf(entry) < until)
        if (inDoubt.startsWith('lost') && !aborted && !settled.ok) expect(settled.error).toBe(end?.error)
      }
    }
  },
  mustSee: [
    ...['settle', 'execute', 'stream'].flatMap((via) => [`${via}: lost`, `${via}: lost, with a class`, `${via}: hung`]),
    ...['settle: cut', 'stream: incomplete', 'idempotent, and replayed', 'others would have served'],
  ],
})
