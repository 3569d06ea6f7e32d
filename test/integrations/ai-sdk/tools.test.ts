import { generateObject, generateText, isStepCount, Output, streamText, ToolLoopAgent, tool } from 'ai'
import { heedModel } from 'heed/integrations/ai-sdk'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { inOrder, type ProviderServer, type Step, startProvider } from '../kit/provider-server.ts'
import { refusals } from '../kit/refusals.ts'
import { answer, refuse } from '../kit/steps.ts'
import { modelAt } from './driver.ts'
import { finish, type Part, scripted, start, stated, text } from './scripted.ts'

const servers: ProviderServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serving(...steps: readonly Step[]): Promise<ProviderServer> {
  const server = await startProvider(inOrder(...steps))
  servers.push(server)
  return server
}

/** A provider that asks for the card to be charged, as OpenAI's chat completions say it. */
const asksForTool: Step = ({ response, request }) => {
  const call = { id: 'call_1', type: 'function', function: { name: 'charge', arguments: '{"cents":500}' } }
  const message = { role: 'assistant', content: null, tool_calls: [call] }
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      id: 'chatcmpl-kit',
      object: 'chat.completion',
      created: 1_790_000_000,
      model: request.model,
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 8, completion_tokens: 8, total_tokens: 16 },
    }),
  )
}

const down = refuse(refusals.chat.transient)
const gone = refuse(refusals.chat.permanent)

function counting() {
  const charged: number[] = []
  const charge = tool({
    description: 'Charges the card',
    inputSchema: z.object({ cents: z.number() }),
    execute: ({ cents }) => {
      charged.push(cents)
      return 'charged'
    },
  })
  return { charged, tools: { charge } }
}

const chain = (...asked: readonly ProviderServer[]) =>
  heedModel({
    candidates: asked.map(({ url }, at) => ({
      id: `c${at}`,
      provider: `p${at}`,
      model: modelAt('chat', { baseUrl: url, model: `m${at}` }),
    })),
    backoff: () => 0,
  })

describe('a tool is run once', () => {
  test('in a loop whose model goes down after the tool, and comes back', async () => {
    const { charged, tools } = counting()
    const server = await serving(asksForTool, down, answer('paid'))
    const result = await generateText({
      model: chain(server),
      tools,
      prompt: 'Pay',
      stopWhen: isStepCount(5),
      maxRetries: 0,
    })
    expect([result.text, charged, server.requests.length]).toEqual(['paid', [500], 3])
    expect(result.steps.map(({ providerMetadata }) => providerMetadata?.['heed'])).toEqual([
      { candidate: 'c0', provider: 'p0', attempts: 1 },
      { candidate: 'c0', provider: 'p0', attempts: 2 },
    ])
  })

  test('by an agent whose second step another model serves', async () => {
    const { charged, tools } = counting()
    const [first, second] = [await serving(asksForTool, gone), await serving(answer('paid'))]
    const agent = new ToolLoopAgent({ model: chain(first, second), tools, maxRetries: 0 })
    const result = await agent.generate({ prompt: 'Pay' })
    expect([result.text, charged]).toEqual(['paid', [500]])
    expect(result.steps.map(({ response }) => response.modelId)).toEqual(['m0', 'm1'])
    expect([first.requests.length, second.requests.length]).toEqual([2, 1])
  })

  test('of a stream that dies after the call: nobody is asked for it again', async () => {
    const { charged, tools } = counting()
    const asks: readonly Part[] = [
      start,
      { type: 'tool-call', toolCallId: '1', toolName: 'charge', input: '{"cents":5}' },
    ]
    const [dying, other] = [scripted('dying', [...asks, stated('transient')]), scripted('other', [...asks, finish()])]
    const model = heedModel({ candidates: [dying, other], backoff: () => 0 })
    const result = streamText({ model, tools, prompt: 'Pay', maxRetries: 0, onError: () => undefined })
    await result.consumeStream({ onError: () => undefined })
    expect([dying.doStreamCalls.length, other.doStreamCalls.length]).toEqual([1, 0])
    expect(charged.length).toBeLessThanOrEqual(1)
  })
})

test("an agent's streamed text is what the provider sent, once", async () => {
  const { tools } = counting()
  const call: Part = { type: 'tool-call', toolCallId: '1', toolName: 'charge', input: '{"cents":5}' }
  const model = scripted(
    'well',
    [start, { type: 'error', error: stated('transient') }],
    [start, call, finish('tool-calls')],
    [start, ...text('').slice(0, 2), stated('transient')],
    [start, ...text('paid ', 'in ', 'full'), finish()],
  )
  const agent = new ToolLoopAgent({ model: heedModel({ candidates: [model], backoff: () => 0 }), tools, maxRetries: 0 })
  const seen: string[] = []
  const result = await agent.stream({ prompt: 'Pay' })
  for await (const part of result.fullStream) if (part.type === 'text-delta') seen.push(part.text)
  expect(seen.join('')).toBe('paid in full')
  expect(await result.text).toBe('paid in full')
  expect((await result.steps).length).toBe(2)
})

describe('objects', () => {
  const schema = z.object({ city: z.string() })

  test('of generateObject come from the model that is up', async () => {
    const [first, second] = [await serving(gone), await serving(answer('{"city":"Ghent"}'))]
    const { object, providerMetadata } = await generateObject({
      model: chain(first, second),
      schema,
      prompt: 'Where?',
      maxRetries: 0,
    })
    expect(object).toEqual({ city: 'Ghent' })
    expect(providerMetadata?.['heed']).toEqual({ candidate: 'c1', provider: 'p1', attempts: 2 })
  })

  test('of a streamed output too', async () => {
    const [first, second] = [await serving(gone), await serving(answer('{"city": "Ghent"}'))]
    const result = streamText({
      model: chain(first, second),
      output: Output.object({ schema }),
      prompt: 'Where?',
      maxRetries: 0,
    })
    expect(await result.output).toEqual({ city: 'Ghent' })
  })
})
