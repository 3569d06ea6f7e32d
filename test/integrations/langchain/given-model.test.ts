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
