import fc from 'fast-check'
import { expect } from 'vitest'
import { chain, failing, goodHint, guardOver, said, scenarioOf, someMs, streamStep } from './support/arbitraries.ts'
import { withHeardFailures } from './support/calls-of.ts'
import { drive } from './support/drive.ts'
import { classOf, hintOf } from './support/failure.ts'
import { law, type See } from './support/law.ts'
import { type Entry, microseconds, targetOf } from './support/log.ts'
import type { Scenario } from './support/scenario.ts'

interface Floor {
  readonly untilMs: number
  readonly by: number
  readonly revived: boolean
}

/** Attempts that start before the latest hint of their target has passed, as long as nobody revived it. */
function below(given: Scenario, log: readonly Entry[], see: See): readonly unknown[] {
  const floors = new Map<string, Floor>()
  const found: unknown[] = []
  for (const entry of withHeardFailures(log)) {
    if (entry.type === 'heard') {
      const hint = hintOf(entry.said)
      if (classOf(entry.said) !== 'transient' || hint === undefined) continue
      const target = targetOf(entry.invoked)
      const untilMs = entry.at + hint * 1_000
      const old = floors.get(target)
      if (old === undefined || old.untilMs < untilMs) {
        floors.set(target, { untilMs, by: entry.invoked.call, revived: false })
      }
    } else if (entry.type === 'answers' && entry.answer.does === 'revive') {
      for (const [target, floor] of floors) {
        if (target === entry.answer.name || target.startsWith(`${entry.answer.name} with `)) {
          floors.set(target, { ...floor, revived: true, untilMs: Number.NEGATIVE_INFINITY })
        }
      }
    } else if (entry.type === 'invoked') {
      const floor = floors.get(targetOf(entry))
      if (floor === undefined) continue
      if (microseconds(floor.untilMs) <= microseconds(entry.at)) {
        see(floor.revived ? 'revived' : floor.by === entry.call ? 'waited for its own hint' : "kept to another call's")
        continue
      }
      if (given.guards[given.calls[entry.call]?.guard ?? 0]?.options.retryAfter?.onTooLong === 'cap') see('capped')
      else found.push({ entry, floor })
    }
  }
  return found
}

/** Mostly hints, and few enough targets that calls meet. */
const hinted = fc.oneof(
  { weight: 3, arbitrary: fc.record({ class: fc.constant('transient'), hint: goodHint }) },
  { weight: 1, arbitrary: fc.record({ class: fc.constant('transient'), asideHint: goodHint }) },
  { weight: 2, arbitrary: said },
)

const floors = fc
  .tuple(
    fc.boolean().chain((streamed) =>
      scenarioOf({
        guard: guardOver(chain.map((candidates) => candidates.slice(0, 3))),
        steps: streamed
          ? fc.oneof(
              failing(hinted),
              streamStep.chain((step) => hinted.map((ends) => ({ ...step, ends }))),
            )
          : failing(hinted),
        via: streamed ? 'stream' : 'settle',
        maxCalls: 5,
      }),
    ),
    fc.array(fc.nat({ max: 1 }), { maxLength: 1 }),
    fc.array(fc.record({ atMs: someMs, name: fc.constantFrom('candidate 0', 'candidate 1') }), { maxLength: 1 }),
  )
  .map(
    ([drawn, capping, revived]): Scenario => ({
      ...drawn,
      guards: drawn.guards.map((guard, index) =>
        capping.includes(index)
          ? { ...guard, options: { ...guard.options, retryAfter: { onTooLong: 'cap' as const } } }
          : guard,
      ),
      answers: [...drawn.answers, ...revived.map((each) => ({ ...each, does: 'revive' as const }))],
    }),
  )

law('4 Floor: no attempt at a target starts before its hint has passed, in this call or any that shares the health', {
  given: floors,
  holds: async (given, see) => {
    const { log } = await drive(given)
    expect(below(given, log, see)).toEqual([])
  },
  mustSee: ['waited for its own hint', "kept to another call's", 'capped', 'revived'],
})
