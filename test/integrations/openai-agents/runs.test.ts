import { Agent, RunContext, tool } from '@openai/agents-core'
import { heedModel } from 'heed/integrations/openai-agents'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Dialect } from '../kit/dialect.ts'
import { inOrder, type Script, type Step, startProvider } from '../kit/provider-server.ts'
import { refusals } from '../kit/refusals.ts'
import { sendJson, textOf } from '../kit/send.ts'
import { onStage, until } from '../kit/stage.ts'
import { answer, refuse, stallBeforeHeaders, stallMidway } from '../kit/steps.ts'
import { driverOf, modelAt, runner } from './host-of.ts'

/** Asks for the tool, in the dialect that was spoken. */
const askForCharge: Step = (exchange) => {
  const { dialect, request } = exchange
  sendJson(exchange, 200, {}, request.path.endsWith('/responses') ? calledIn(dialect) : chatCall)
}

const call = { name: 'charge', arguments: '{"cents":100}' }

const chatCall = {
  id: 'chatcmpl-kit',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'model-a',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: call }] },
    },
  ],
}

function calledIn(dialect: Dialect): object {
  const output = [{ type: 'function_call', id: 'fc_1', call_id: 'call_1', status: 'completed', ...call }]
  return { ...dialect.unary('model-a', ''), output }
}

describe.each(['chat', 'responses'] as const)('a run, %s', (dialect) => {
  test('runs a tool once, though the turn after it goes to another model', async () => {
    const { permanent } = refusals[dialect]
    const a = await startProvider(inOrder(askForCharge, refuse(permanent)))
    const b = await startProvider(inOrder(answer('charged')))
    try {
      let charges = 0
      const charge = tool({
        name: 'charge',
        description: 'Charges the card.',
        parameters: z.object({ cents: z.number() }),
        execute: () => {
          charges += 1
          return 'done'
        },
      })
      const candidates = [a, b].map(({ url }, at) => ({
        id: at === 0 ? 'a' : 'b',
        model: modelAt({ baseUrl: url, model: 'm' }, dialect),
      }))
      const agent = new Agent({ name: 'A', model: heedModel({ candidates }), tools: [charge] })
      const result = await runner.run(agent, 'Charge me')
      expect(result.finalOutput).toBe('charged')
      expect(charges).toBe(1)
      expect([a.requests.length, b.requests.length]).toEqual([2, 1])
      expect(b.requests[0]?.body).toContain('call_1')
      expect(result.rawResponses.map(({ providerData }) => providerData?.['heed'])).toEqual([
        { candidate: 'a', attempts: 1 },
        { candidate: 'b', attempts: 2 },
      ])
    } finally {
      await Promise.all([a.close(), b.close()])
    }
  })

  test('a pause for a human resumes the same run', async () => {
    let good = false
    const a: Script = () => (good ? answer('signed in') : refuse(refusals[dialect].authRequired))
    await onStage(driverOf(dialect, {}), { a, b: inOrder(answer('from b')) }, async ({ host, counted, of }) => {
      host.health.on('auth_prompt', ({ provider }) => {
        good = true
        host.auth.resolve(provider)
      })
      expect(await host.unary()).toBe('signed in')
      expect(counted()).toEqual([2, 0])
      expect(of('auth_prompt')).toMatchObject([{ provider: 'one' }])
    })
  })

  test('a consumer that leaves ends the request, and no other begins', async () => {
    const a = inOrder(stallMidway({ afterTokens: 2 }))
    await onStage(driverOf(dialect, {}), { a, b: a }, async ({ host, servers, counted, of }) => {
      let text = ''
      for await (const part of host.stream()) {
        text += part
        if (text.length >= textOf(2).length) break
      }
      const request = await servers[0].arrived(1)
      await request.over
      expect(request.left).toBe(true)
      expect(counted()).toEqual([1, 0])
      await until(() => of('surface').length > 0)
      expect(of('surface')).toMatchObject([{ reason: 'aborted' }])
    })
  })

  test('the runner’s own timeout ends the attempt, and no other begins', async () => {
    const server = await startProvider(inOrder(stallBeforeHeaders))
    try {
      const model = heedModel({ candidates: [modelAt({ baseUrl: server.url, model: 'm' }, dialect)], idempotent: true })
      const agent = new Agent({ name: 'A', model, modelSettings: { timeoutMs: 300 } })
      await expect(runner.run(agent, 'Hello')).rejects.toMatchObject({ name: 'ModelTimeoutError' })
      const request = await server.arrived(1)
      await request.over
      expect(request.left).toBe(true)
      expect(server.requests).toHaveLength(1)
    } finally {
      await server.close()
    }
  })
})

describe('what the server keeps of a conversation', () => {
  test.each([{ previousResponseId: 'resp_1' }, { conversationId: 'conv_1' }])('%o goes out as it is', async (state) => {
    const a = await startProvider(inOrder(refuse(refusals.responses.transient), answer('well')))
    try {
      const candidates = [modelAt({ baseUrl: a.url, model: 'm' }, 'responses')]
      const agent = new Agent({ name: 'A', model: heedModel({ candidates, backoff: () => 0 }) })
      const { finalOutput } = await runner.run(agent, 'Hello', { ...state, context: new RunContext() })
      expect(finalOutput).toBe('well')
      const sent = a.requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      expect(sent).toHaveLength(2)
      expect(sent[1]).toEqual(sent[0])
      expect(sent[0]).toMatchObject(
        'conversationId' in state ? { conversation: 'conv_1' } : { previous_response_id: 'resp_1' },
      )
    } finally {
      await a.close()
    }
  })
})
