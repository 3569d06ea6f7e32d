import { RunnableBinding } from '@langchain/core/runnables'
import type { ChatOpenAI } from '@langchain/openai'
import { heedModels } from 'heed/integrations/langchain'
import { createAgent, createMiddleware, tool } from 'langchain'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { refusals } from '../kit/refusals.ts'
import { answer, refuse, resetMidway } from '../kit/steps.ts'
import { HELLO, onScene, rejection } from './scene.ts'

describe('the model that a handler is given', () => {
  test('is known to have spoken however its options were bound', async () => {
    await onScene(
      [[resetMidway({ afterTokens: 1 })], [answer('B')]],
      async ({ servers: [, b], models: [first, second] }) => {
        const bound = new RunnableBinding({
          bound: first!,
          kwargs: {},
          config: { tags: ['bound'] },
        }) as unknown as ChatOpenAI
        const middleware = heedModels({ fallbacks: [second!], idempotent: true })
        const agent = createAgent({ model: bound, tools: [], middleware: [middleware] })
        await rejection(
          (async () => {
            for await (const _part of await agent.stream(HELLO, { streamMode: 'messages' }));
          })(),
        )
        expect(b!.requests).toHaveLength(0)
      },
    )
  })

  test('keeps its class, and the user s object is left as it was', async () => {
    await onScene([[answer('served')]], async ({ models: [model] }) => {
      const before = Object.getOwnPropertyNames(model!)
      let seen: unknown
      const looks = createMiddleware({
        name: 'looks',
        wrapModelCall: (request, handler) => {
          seen = request.model.constructor
          return handler(request)
        },
      })
      await createAgent({ model: model!, tools: [], middleware: [heedModels(), looks] }).invoke(HELLO)
      expect(seen).toBe(model!.constructor)
      expect(Object.getOwnPropertyNames(model!)).toEqual(before)
    })
  })

  test('may be a frozen binding', async () => {
    await onScene([[refuse(refusals.chat.transient), answer('served')]], async ({ models: [model] }) => {
      const bound = new RunnableBinding({ bound: model!, kwargs: {}, config: {} }) as unknown as ChatOpenAI
      // A method of its own is a field that a proxy of the frozen object itself must answer as it is.
      Object.assign(bound, { invoke: bound.invoke.bind(bound) })
      Object.freeze(bound)
      const middleware = [heedModels({ backoff: () => 0 })]
      const { messages } = await createAgent({ model: bound, tools: [], middleware }).invoke(HELLO)
      expect(messages.at(-1)?.content).toBe('served')
    })
  })

  test('shows the names, the fields and the class of the model', async () => {
    await onScene([[answer('served')]], async ({ models: [model] }) => {
      let given: object = {}
      const looks = createMiddleware({
        name: 'looks',
        wrapModelCall: (request, handler) => {
          given = request.model
          return handler(request)
        },
      })
      await createAgent({ model: model!, tools: [], middleware: [heedModels(), looks] }).invoke(HELLO)
      expect(given).not.toBe(model)
      expect(given).toBeInstanceOf(model!.constructor)
      expect(Object.getPrototypeOf(given)).toBe(Object.getPrototypeOf(model))
      expect(Object.keys(given)).toEqual(Object.keys(model!))
      expect({ ...given }).toMatchObject({ model: 'model-0' })
      expect('bindTools' in given).toBe(true)
      Object.assign(given, { verbose: true })
      expect([model!.verbose, (given as ChatOpenAI).verbose]).toEqual([true, true])
    })
  })

  test('is asked with the agent s tools', async () => {
    await onScene(
      [[refuse(refusals.chat.permanent)], [answer('from b')]],
      async ({ servers, models: [first, second] }) => {
        const weather = tool(() => 'sunny', { name: 'weather', description: 'x', schema: z.object({}) })
        const agent = createAgent({
          model: first!,
          tools: [weather],
          middleware: [heedModels({ fallbacks: [second!] })],
        })
        await agent.invoke(HELLO)
        for (const { requests } of servers) {
          expect(JSON.parse(requests[0]!.body).tools).toMatchObject([{ function: { name: 'weather' } }])
        }
      },
    )
  })
})
