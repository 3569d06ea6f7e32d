import { RunnableLambda } from '@langchain/core/runnables'
import { ChatOpenAI } from '@langchain/openai'
import { heedModels, heedRunnable, heedTools } from 'heed/integrations/langchain'
import { createAgent, initChatModel } from 'langchain'
import { describe, expect, test } from 'vitest'
import { refusals } from '../kit/refusals.ts'
import { answer, refuse } from '../kit/steps.ts'
import { chat, chatOpenAI } from './hosts.ts'
import { HELLO, heard, onScene, rejection } from './scene.ts'

const fields = { model: 'm', apiKey: 'k' }
const eager = new ChatOpenAI(fields)
const model = new ChatOpenAI({ ...fields, maxRetries: 0 })

describe('a model that retries by itself is refused, with the fix', () => {
  test.each([
    [
      'by default',
      eager,
      'heedModels: fallbacks[0] tries again by itself, up to 6 times; make it with { maxRetries: 0 }',
    ],
    ['bound', eager.withConfig({ tags: ['x'] }), 'maxRetries: 0'],
    ['in a chain', RunnableLambda.from((text: string) => text).pipe(eager), 'maxRetries: 0'],
    ['withRetry()', model.withRetry({ stopAfterAttempt: 3 }), 'give the model without withRetry()'],
    ['withFallbacks()', model.withFallbacks([model]), 'list its models one by one instead of withFallbacks()'],
    ['in a candidate', { model: eager, id: 'a' }, 'maxRetries: 0'],
  ])('%s', (_name, given, fix) => {
    expect(() => heedModels({ fallbacks: [given as never] })).toThrow(fix)
    expect(() => heedRunnable({ candidates: [given as never] })).toThrow(TypeError)
  })

  test('the agent s own, before anything is sent', async () => {
    await onScene(
      [[answer('never')]],
      async ({ servers: [server], models: [own] }) => {
        const agent = createAgent({ model: own!, tools: [], middleware: [heedModels()] })
        const error = (await rejection(agent.invoke(HELLO))) as Error
        expect(error.message).toContain(
          'heedModels: the model of the agent tries again by itself, up to 2 times; make it with { maxRetries: 0 }',
        )
        expect(server!.requests).toHaveLength(0)
      },
      chatOpenAI({ maxRetries: 2 }),
    )
  })

  test('what a function made, before anything is sent', async () => {
    const chain = heedRunnable({ candidates: [{ id: 'a', provider: 'a', model: () => eager }] })
    expect(await rejection(chain.invoke('x'))).toMatchObject({
      message: expect.stringContaining('heed: the model of a tries again'),
    })
  })
})

describe('wrong options are refused, with their path', () => {
  test.each([
    ['no model', () => heedModels({ fallbacks: ['gpt-5' as never] }), 'fallbacks[0] is no model; give a chat model'],
    [
      'a function without names',
      () => heedRunnable({ candidates: [{ model: () => model }] }),
      'candidates[0] makes its model when it is called; give its id',
    ],
    ['no list', () => heedRunnable({ candidates: model as never }), 'candidates: give a list'],
    ['an empty list', () => heedRunnable({ candidates: [] }), 'candidates'],
    ['the same model twice', () => heedRunnable({ candidates: [model, model] }), 'openai/m'],
    ['a misspelt option', () => heedModels({ retries: 3 } as never), 'retries'],
    ['two fallbacks of one name', () => heedModels({ fallbacks: [model, model] }), 'fallbacks[1].id: "openai/m"'],
    [
      'a misspelt setting of a tool',
      () => heedTools({ tools: { search: { idempotant: true } as never } }),
      'heedTools: tools.search.idempotant is not an option; give idempotent, provider or producer',
    ],
    ['a tool without settings', () => heedTools({ tools: { search: true as never } }), 'tools.search: give an object'],
    ['a list of tools', () => heedTools({ tools: ['search'] as never }), 'tools: give an object'],
    ['all tools at once', () => heedTools({ idempotent: true } as never), 'idempotent: say it of each tool'],
    ['a misspelt wait', () => heedTools({ onAuthRequired: 'ask' as never }), "give 'pause' or 'interrupt'"],
    ['a producer that is none', () => heedModels({ producer: {} as never }), 'producer'],
  ])('%s', (_name, make, told) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(told)
  })
})

describe('a fallback that is named as the model of the agent', () => {
  test('is refused where it is another: it would never be asked', async () => {
    await onScene([[answer('never')]], async ({ servers: [server], models: [own] }) => {
      const other = chat({ id: '', provider: '', model: 'model-0', baseUrl: server!.url })
      const agent = createAgent({ model: own!, tools: [], middleware: [heedModels({ fallbacks: [other] })] })
      const error = (await rejection(agent.invoke(HELLO))) as Error
      expect(error.message).toContain("is the id of the agent's own model too; give it an id of its own")
      expect(server!.requests).toHaveLength(0)
    })
  })

  test('is left out where it is that model', async () => {
    await onScene([[refuse(refusals.chat.permanent)]], async ({ servers: [server], models: [own] }) => {
      const agent = createAgent({ model: own!, tools: [], middleware: [heedModels({ fallbacks: [own!] })] })
      await rejection(agent.invoke(HELLO))
      expect(server!.requests).toHaveLength(1)
    })
  })
})

describe('what a model says of itself', () => {
  test('names the candidate: the provider, or the host of a base URL of its own, and the model', async () => {
    await onScene(
      [[refuse(refusals.chat.permanent)], [answer('from b')]],
      async ({ servers, models: [first, second] }) => {
        const middleware = heedModels({ fallbacks: [second!] })
        const attempts = heard(middleware, 'attempt')
        await createAgent({ model: first!, tools: [], middleware: [middleware] }).invoke(HELLO)
        const hosts = servers.map(({ url }) => new URL(url).host)
        expect(attempts.map(({ candidate, provider }) => [candidate, provider])).toEqual(
          hosts.map((host, at) => [`${host}/model-${at}`, host]),
        )
      },
    )
  })

  test('a model that the agent makes of a name is asked too', async () => {
    await onScene([[answer('served')]], async ({ servers: [server] }) => {
      const named = await initChatModel('openai:gpt-5', {
        ...fields,
        maxRetries: 0,
        configuration: { baseURL: `${server!.url}/v1` },
        model: 'gpt-5',
      } as never)
      const middleware = heedModels()
      const attempts = heard(middleware, 'attempt')
      const { messages } = await createAgent({ model: named as never, tools: [], middleware: [middleware] }).invoke(
        HELLO,
      )
      expect(messages.at(-1)?.content).toBe('served')
      expect(attempts.map(({ candidate }) => candidate)).toEqual([`${new URL(server!.url).host}/gpt-5`])
    })
  })
})
