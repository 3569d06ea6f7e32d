import { answer, cut } from '../../../demo/fleet/steps.mjs'
import { shownWithin } from '../harness/observe.mjs'
import { endOf, repeats } from '../harness/repeats.mjs'
import { onStage, TEXT } from '../harness/stage.mjs'

export const title = 'The connection breaks after two words of a stream'

export const run = (subject) =>
  onStage(subject, { primary: cut(TEXT, { afterTokens: 2 }), fallback: answer(TEXT) }, async ({ caller }) => {
    const shown = await shownWithin(caller.stream(), 15_000)
    return { ...shown, repeated: repeats(shown.text) }
  })

export const columns = [{ title: 'broken after 2 words', cell: endOf }]
