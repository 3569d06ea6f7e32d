import { answer, failInStream } from '../../../demo/fleet/steps.mjs'
import { shownWithin } from '../harness/observe.mjs'
import { bodyOf } from '../harness/refusals.mjs'
import { onStage, TEXT } from '../harness/stage.mjs'

export const title = "The primary's streams begin with an error, the fallback is well: 10 streams at once on one object"

const CALLS = 10

export const run = (subject) => {
  const steps = { primary: failInStream(bodyOf(subject.host.dialect, 'unavailable')), fallback: answer(TEXT) }
  return onStage(subject, steps, async ({ caller, seen }) => {
    const shown = await Promise.all(Array.from({ length: CALLS }, () => shownWithin(caller.stream(), 30_000)))
    return {
      calls: CALLS,
      served: shown.filter(({ text, end }) => text === TEXT && end === 'ended').length,
      requests: { primary: seen('primary').length, fallback: seen('fallback').length },
    }
  })
}

export const columns = [
  {
    title: 'stream begins with an error: served of 10',
    needsTwo: true,
    cell: ({ served, calls }) => (served === calls ? `${served}` : `**${served}**`),
  },
]
