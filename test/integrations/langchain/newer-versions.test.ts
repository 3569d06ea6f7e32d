/** What only newer versions of LangChain and LangGraph have: the rest of these tests holds for the oldest too. */
import { GraphDrained } from '@langchain/langgraph'
import { heedModels, heedTools } from 'heed/integrations/langchain'
import { langchain } from 'heed/producers/langchain'
import { createAgent, createMiddleware, FakeToolCallingModel, tool, toolErrorMiddleware } from 'langchain'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { refusals } from '../kit/refusals.ts'
import { answer, errorEvent, stallMidway } from '../kit/steps.ts'
import { chatOpenAI } from './hosts.ts'
import { HELLO, heard, onScene, rejection } from './scene.ts'

test('a graph that is drained is nobody s failure', () => {
  expect(langchain.classify(new GraphDrained('429 rate limit'), { nowMs: 0 })).toBeUndefined()
})

test("streamEvents, version 'v3': content events commit as tokens do", async () => {
  const dies = errorEvent(refusals.chat.transientInStream, { afterTokens: 2 })
  await onScene([[dies], [answer('B1 B2')]], async ({ servers: [a, b], models: [first, second] }) => {
    const middleware = heedModels({ fallbacks: [second!], idempotent: true })
    const surfaced = heard(middleware, 'surface')
    const agent = createAgent({ model: first!, tools: [], middleware: [middleware] })
    const run = await agent.streamEvents(HELLO, { version: 'v3' })
    const texts: string[] = []
    const error = await rejection(
      (async () => {
        for await (const message of run.messages) for await (const text of message.text) texts.push(text)
        await run.output
      })(),
    )
    expect(error).toBeDefined()
    expect(texts.join('')).toBe('t0 t1 ')
    expect([a!.requests.length, b!.requests.length]).toEqual([1, 0])
    expect(surfaced.map(({ reason }) => reason)).toEqual(['committed'])
  })
})

test('a consumer that leaves an agent closes the socket', async () => {
  await onScene(
    [[stallMidway({ afterTokens: 2 })], [answer('never')]],
    async ({ servers: [a, b], models: [first, second] }) => {
      const middleware = heedModels({ fallbacks: [second!], idempotent: true })
      const agent = createAgent({ model: first!, tools: [], middleware: [middleware] })
      for await (const [chunk] of await agent.stream(HELLO, { streamMode: 'messages' })) {
        if (chunk.content === 't1 ') break
      }
      const request = await a!.arrived(1)
      await request.over
      expect(request.left).toBe(true)
      expect([a!.requests.length, b!.requests.length]).toEqual([1, 0])
    },
  )
})

test('a model keeps its profile: what it can do natively is not done with a tool', async () => {
  await onScene(
    [[answer('{"city":"Ulm"}')]],
    async ({ servers: [server], models: [model] }) => {
      expect(model!.profile.structuredOutput).toBe(true)
      const responseFormat = z.object({ city: z.string() })
      const agent = createAgent({ model: model!, tools: [], responseFormat, middleware: [heedModels()] })
      expect((await agent.invoke(HELLO)).structuredResponse).toEqual({ city: 'Ulm' })
      expect(JSON.parse(server!.requests[0]!.body)).toMatchObject({ response_format: { type: 'json_schema' } })
    },
    chatOpenAI({ model: 'gpt-4o' }),
  )
})

test('what surfaces of a tool becomes a message for the model where that is asked for', async () => {
  const fails = tool(() => Promise.reject(new Error('503')), {
    name: 'weather',
    description: 'x',
    schema: z.object({}),
  })
  const model = new FakeToolCallingModel({ toolCalls: [[{ name: 'weather', args: {}, id: 'c1' }], []] })
  const onError = () => 'no weather today'
  const agent = createAgent({ model, tools: [fails], middleware: [toolErrorMiddleware({ onError }), heedTools()] })
  const { messages } = await agent.invoke(HELLO)
  expect(messages.find((message) => message.getType() === 'tool')?.content).toBe('no weather today')
})

test('the middleware is what createMiddleware makes', () => {
  const { health: _h, auth: _a, ...models } = heedModels()
  const { health: _h2, auth: _a2, ...tools } = heedTools()
  const { name, wrapModelCall } = models
  const made = createMiddleware({ name, wrapModelCall: wrapModelCall! })
  expect(withoutEmpty(models)).toEqual(withoutEmpty(made))
  expect(Object.getOwnPropertySymbols(models)).toEqual(Object.getOwnPropertySymbols(made))
  expect(Object.getOwnPropertySymbols(tools)).toEqual(Object.getOwnPropertySymbols(made))
})

function withoutEmpty(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined))
}
