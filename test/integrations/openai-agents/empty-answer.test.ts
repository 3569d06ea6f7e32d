import type { Model, StreamEvent } from '@openai/agents-core'
import { heedModel } from 'heed/integrations/openai-agents'
import { describe, expect, test } from 'vitest'
import { chunk, doneWith, eventsOf, raw, speaking, streaming } from './fakes.ts'

describe('a streamed answer', () => {
  test.each<[string, readonly StreamEvent[]]>([
    ['that says how it ended', [chunk({ role: 'assistant' }), chunk({}, 'stop')]],
    ['of the Responses API', [raw({ type: 'response.completed', response: { output: [] } })]],
    ['of a model without raw events', []],
  ])('may be empty: an answer %s', async (_name, preamble) => {
    const model = heedModel({ candidates: [streaming(...preamble, doneWith([])), speaking('Hi')] })
    const events = await eventsOf(model)
    expect(events.at(-1)).toMatchObject({
      type: 'response_done',
      response: { output: [], providerData: { heed: { candidate: 'model-1', attempts: 1 } } },
    })
  })

  test.each<[string, readonly StreamEvent[]]>([
    ['the raw events have no end', [{ type: 'response_started' }, chunk({ role: 'assistant' }), doneWith([])]],
    ['nothing came before its end', [doneWith([])]],
    ['its end is missing', [{ type: 'response_started' }]],
  ])('is no answer where it is empty and %s', async (_name, events) => {
    const model: Model = {
      ...speaking(''),
      async *getStreamedResponse() {
        yield* events
      },
    }
    await expect(eventsOf(heedModel({ candidates: [model] }))).rejects.toMatchObject({ reason: 'incomplete_stream' })
  })
})
