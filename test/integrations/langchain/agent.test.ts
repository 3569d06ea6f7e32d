import { heedModels } from 'heed/integrations/langchain'
import { fakeClock } from 'heed/testing'
import { createAgent, createMiddleware, FakeToolCallingModel } from 'langchain'
import { describe, expect, test } from 'vitest'
import { refusals } from '../kit/refusals.ts'
import { answer, refuse, stallBeforeHeaders } from '../kit/steps.ts'
import { HELLO, heard, onScene, rejection } from './scene.ts'

describe('an abort', () => {
  test('during a backoff settles at once, and the model is never called again', async () => {
    const clock = fakeClock()
    await onScene([[refuse(refusals.chat.transient)]], async ({ servers: [server], models: [model] }) => {
      const middleware = heedModels({ clock, backoff: () => 60_000 })
      const controller = new AbortController()
      const waiting = new Promise<void>((resolve) => middleware.health.once('retry', () => resolve()))
      const agent = createAgent({ model: model!, tools: [], middleware: [middleware] })
      const running = rejection(agent.invoke(HELLO, { signal: controller.signal }))
      await waiting
      controller.abort(new Error('enough'))
      await running
      expect(clock.pendingTimers).toBe(0)
      await clock.advance(3_600_000)
      expect(server!.requests).toHaveLength(1)
    })
  })

  test('during a request closes the socket', async () => {
    await onScene([[stallBeforeHeaders], [answer('never')]], async ({ servers: [a, b], models: [first, second] }) => {
      const middleware = heedModels({ fallbacks: [second!], idempotent: true })
      const surfaced = heard(middleware, 'surface')
      const controller = new AbortController()
      const agent = createAgent({ model: first!, tools: [], middleware: [middleware] })
      const running = rejection(agent.invoke(HELLO, { signal: controller.signal }))
      const request = await a!.arrived(1)
      controller.abort()
      await running
      await request.over
      expect(request.left).toBe(true)
      expect(b!.requests).toHaveLength(0)
      expect(surfaced.map(({ reason }) => reason)).toEqual(['aborted'])
    })
  })

  test('of an attempt by its own time closes the socket too', async () => {
    const clock = fakeClock()
    await onScene([[stallBeforeHeaders, answer('second time')]], async ({ servers: [server], models: [model] }) => {
      const middleware = heedModels({ clock, attemptTimeoutMs: 30_000, idempotent: true, backoff: () => 0 })
      const agent = createAgent({ model: model!, tools: [], middleware: [middleware] })
      const running = agent.invoke(HELLO)
      const request = await server!.arrived(1)
      await clock.advance(30_000)
      expect((await running).messages.at(-1)?.content).toBe('second time')
      await request.over
      expect(request.left).toBe(true)
    })
  })
})

describe('one call', () => {
  test('is reduced where no larger window is there: the messages are its input', async () => {
    await onScene(
      [[refuse(refusals.chat.contextOverflow), answer('short enough')]],
      async ({ servers: [server], models: [model] }) => {
        const middleware = heedModels({ call: () => ({ reduce: (messages) => messages.slice(-1) }) })
        const agent = createAgent({ model: model!, tools: [], middleware: [middleware] })
        const messages = ['one', 'two', 'three'].map((content) => ({ role: 'user' as const, content }))
        expect((await agent.invoke({ messages })).messages.at(-1)?.content).toBe('short enough')
        expect(server!.requests.map(({ body }) => JSON.parse(body).messages.length)).toEqual([3, 1])
      },
    )
  })

  test('skips the windows that are known to be too small', async () => {
    await onScene([[answer('never')], [answer('from b')]], async ({ servers: [a], models: [first, second] }) => {
      const middleware = heedModels({
        primary: { contextWindow: 1_000 },
        fallbacks: [{ model: second!, contextWindow: 100_000 }],
        call: ({ messages }) => ({ inputTokens: messages.length * 50_000 }),
      })
      const agent = createAgent({ model: first!, tools: [], middleware: [middleware] })
      expect((await agent.invoke(HELLO)).messages.at(-1)?.content).toBe('from b')
      expect(a!.requests).toHaveLength(0)
    })
  })
})

test('200 runs of one agent while its model is down are all served, each told of rightly', async () => {
  await onScene(
    [[refuse(refusals.chat.permanent)], [answer(({ body }) => `heard ${JSON.parse(body).messages.at(-1).content}`)]],
    async ({ servers: [a, b], models: [first, second] }) => {
      const middleware = heedModels({ fallbacks: [second!], primary: { id: 'a', provider: 'one' } })
      const served = heard(middleware, 'success')
      const agent = createAgent({ model: first!, tools: [], middleware: [middleware] })
      const answers = await Promise.all(
        Array.from({ length: 200 }, async (_, at) => {
          const { messages } = await agent.invoke({ messages: [{ role: 'user', content: `run ${at}` }] })
          return messages.at(-1)?.content
        }),
      )
      expect(answers).toEqual(Array.from({ length: 200 }, (_, at) => `heard run ${at}`))
      expect([a!.requests.length, b!.requests.length]).toEqual([200, 200])
      expect(new Set(served.map(({ callId }) => callId)).size).toBe(200)
      expect(new Set(served.map(({ candidate }) => candidate))).toEqual(new Set([`${new URL(b!.url).host}/model-1`]))
    },
  )
})

test('three layers of heed ask a dead provider as often as one', async () => {
  await onScene([[refuse(refusals.chat.transient)]], async ({ servers: [server], models: [model] }) => {
    const layers = ['one', 'two', 'three'].map((name) => ({ ...heedModels({ backoff: () => 0 }), name }))
    const agent = createAgent({ model: model!, tools: [], middleware: layers })
    await rejection(agent.invoke(HELLO))
    expect(server!.requests).toHaveLength(3)
  })
})

test('an answer with nothing in it is one, where no model said that it was broken off', async () => {
  const empty = createMiddleware({
    name: 'empty',
    wrapModelCall: async (request, handler) => Object.assign(await handler(request), { content: '' }),
  })
  const model = new FakeToolCallingModel({ toolCalls: [[]], maxRetries: 0 } as ConstructorParameters<
    typeof FakeToolCallingModel
  >[0])
  const agent = createAgent({ model, tools: [], middleware: [heedModels(), empty] })
  expect((await agent.invoke(HELLO)).messages.at(-1)?.content).toBe('')
})
