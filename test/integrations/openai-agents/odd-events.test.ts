import type { StreamEvent } from '@openai/agents-core'
import { heedModel } from 'heed/integrations/openai-agents'
import { openaiResponses } from 'heed/producers/openai-responses'
import { describe, expect, test } from 'vitest'
import { doneWith, eventsOf, messageOf, raw, speaking, streaming, textDelta } from './fakes.ts'

describe('an event that is none', () => {
  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['a text', 'Hel'],
    ['an end without a response', { type: 'response_done' }],
    ['an end whose response has no output', { type: 'response_done', response: {} }],
  ])('reaches the host as it came: %s', async (_name, odd) => {
    const model = streaming(textDelta('Hel'), odd as StreamEvent, doneWith(messageOf('Hel')))
    const events = await eventsOf(heedModel({ candidates: [model] }))
    expect(events).toMatchObject([{ type: 'response_started' }, textDelta('Hel'), odd, { type: 'response_done' }])
  })
})

test('a producer that throws when it is asked what is content fails no stream', async () => {
  const producer = {
    ...openaiResponses,
    isContent: () => {
      throw new Error('no idea')
    },
  }
  const model = streaming(raw({ colour: 'blue' }), doneWith(messageOf('Hi')))
  const events = await eventsOf(heedModel({ candidates: [model, speaking('other')], producer }))
  expect(events.map(({ type }) => type)).toEqual(['response_started', 'model', 'response_done'])
})
