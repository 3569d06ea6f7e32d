import { answer, failInStream } from '../../../demo/fleet/steps.mjs'
import { shownWithin } from '../harness/observe.mjs'
import { bodyOf } from '../harness/refusals.mjs'
import { endOf, repeats } from '../harness/repeats.mjs'
import { onStage, TEXT } from '../harness/stage.mjs'

export const title = 'An error is an event of the stream, after two words'

export const run = (subject) => {
  const body = bodyOf(subject.host.dialect, 'unavailable')
  const steps = { primary: failInStream(body, { text: TEXT, afterTokens: 2 }), fallback: answer(TEXT) }
  return onStage(subject, steps, async ({ caller }) => {
    const shown = await shownWithin(caller.stream(), 15_000)
    return { ...shown, repeated: repeats(shown.text) }
  })
}

export const columns = [{ title: 'error event after 2 words', cell: endOf }]
