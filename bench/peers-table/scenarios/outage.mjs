import { answer, refuse } from '../../../demo/fleet/steps.mjs'
import { outcomeOf } from '../harness/observe.mjs'
import { refusalOf } from '../harness/refusals.mjs'
import { onStage, TEXT } from '../harness/stage.mjs'

export const title = 'The primary answers 503 to all, the fallback is well: 1, 10 and 50 calls at once on one object'

/** How many calls were served, and what each provider was asked. */
const playedWith = (subject, calls) => {
  const steps = { primary: refuse(refusalOf(subject.host.dialect, 'unavailable')), fallback: answer(TEXT) }
  return onStage(subject, steps, async ({ caller, seen }) => {
    const outcomes = await Promise.all(Array.from({ length: calls }, () => outcomeOf(caller.ask(), 30_000)))
    return {
      calls,
      served: outcomes.filter(({ how }) => how === 'served').length,
      requests: { primary: seen('primary').length, fallback: seen('fallback').length },
      slowestMs: Math.max(...outcomes.map(({ afterMs }) => afterMs)),
    }
  })
}

export const run = async (subject) => {
  const alone = await playedWith(subject, 1)
  return [alone, ...(await Promise.all([10, 50].map((calls) => playedWith(subject, calls))))]
}

const of = (calls, served) => (served === calls ? `${served}` : `**${served}**`)

export const columns = [
  {
    title: '503: served of 1, 10, 50',
    needsTwo: true,
    cell: (outages) => outages.map(({ calls, served }) => of(calls, served)).join(', '),
  },
  { title: 'the one after', needsTwo: true, cell: ([{ slowestMs }]) => `${(slowestMs / 1_000).toFixed(1)} s` },
  { title: 'requests to the primary for 50', cell: (outages) => `${outages.at(-1).requests.primary}` },
]
