import { createTool } from '@mastra/core/tools'
import { isHeedError } from 'heed'
import { heedModel } from 'heed/integrations/ai-sdk'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { finish, type Part, scripted, start, stated, text } from '../ai-sdk/scripted.ts'
import { agentOf } from './driver.ts'

const b = (): ReturnType<typeof scripted> => scripted('b', [start, ...text('B1 ', 'B2'), finish()])

async function streamed(models: readonly ReturnType<typeof scripted>[]) {
  const result = await agentOf(heedModel({ candidates: models, backoff: () => 0 })).stream('Hi')
  const errors: unknown[] = []
  let said = ''
  for await (const chunk of result.fullStream) {
    if (chunk.type === 'text-delta') said += chunk.payload.text
    else if (chunk.type === 'error') errors.push(chunk.payload.error)
  }
  const asked = models.map(({ doStreamCalls }) => doStreamCalls.length)
  return { said, errors, asked, finishReason: await result.finishReason, metadata: await result.providerMetadata }
}

// Mastra's own list of models, `model: [a, b]`, gets each of these wrong.
describe("an agent's stream", () => {
  test('that fails after content is not repeated by the next model', async () => {
    const cut = stated('transient')
    const a = scripted('a', [start, ...text('A1 ', 'A2 ').slice(0, 3), { type: 'error', error: cut }, finish('error')])
    const { said, errors, asked, finishReason } = await streamed([a, b()])
    expect([said, finishReason, asked]).toEqual(['A1 A2 ', 'error', [1, 0]])
    expect(errors).toEqual([cut])
  })

  test('whose connection dies after content is not repeated either', async () => {
    const a = scripted('a', [start, ...text('A1 ').slice(0, 2), stated('transient')])
    const { said, errors, asked } = await streamed([a, b()])
    expect([said, asked, errors.length]).toEqual(['A1 ', [1, 0], 1])
  })

  test('that breaks off without an end is not continued by another request', async () => {
    const a = scripted('a', [start, ...text('A1 '), finish('interrupted')])
    const { said, errors, asked } = await streamed([a, b()])
    expect([said, asked]).toEqual(['A1 ', [1, 0]])
    expect(isHeedError(errors[0]) && errors[0].reason).toBe('incomplete_stream')
  })

  test('whose first part is an error goes to the next model', async () => {
    const a = scripted('a', [start, { type: 'error', error: stated('permanent') }, finish('error')])
    const { said, errors, asked, finishReason, metadata } = await streamed([a, b()])
    expect([said, finishReason, asked, errors]).toEqual(['B1 B2', 'stop', [1, 1], []])
    expect(metadata?.['heed']).toEqual({ candidate: 'b-provider.chat/b', provider: 'b-provider', attempts: 2 })
  })
})

test('generate says who served', async () => {
  const model = heedModel({ candidates: [scripted('a', stated('permanent')), b()] })
  const { text: said, providerMetadata } = await agentOf(model).generate('Hi')
  expect([said, providerMetadata?.['heed']]).toEqual([
    'B1 B2',
    { candidate: 'b-provider.chat/b', provider: 'b-provider', attempts: 2 },
  ])
})

test('a dead provider gets the attempts of heed and no more, with the retries of an agent as they are by default', async () => {
  const dead = scripted('dead', stated('transient'))
  const model = heedModel({ candidates: [dead], backoff: () => 0 })
  const error = await agentOf(model)
    .generate('Hi')
    .then(undefined, (thrown: unknown) => thrown)
  expect(dead.doGenerateCalls).toHaveLength(3)
  expect(isHeedError(error) && error.class).toBe('transient')
})

test('a tool is run once, though the model goes down after it', async () => {
  const charged: number[] = []
  const charge = createTool({
    id: 'charge',
    description: 'Charges the card',
    inputSchema: z.object({ cents: z.number() }),
    execute: async ({ cents }) => {
      charged.push(cents)
      return { charged: true }
    },
  })
  const call: Part = { type: 'tool-call', toolCallId: '1', toolName: 'charge', input: '{"cents":500}' }
  const model = scripted('a', [start, call, finish('tool-calls')], stated('transient'), [
    start,
    ...text('paid'),
    finish(),
  ])
  const agent = agentOf(heedModel({ candidates: [model], backoff: () => 0 }), { tools: { charge } })
  const result = await agent.stream('Pay')
  expect([await result.text, charged, model.doStreamCalls.length]).toEqual(['paid', [500], 3])
})
