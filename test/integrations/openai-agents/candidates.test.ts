import type { Model } from '@openai/agents-core'
import { OpenAIChatCompletionsModel, OpenAIResponsesModel } from '@openai/agents-openai'
import { createHealth } from 'heed'
import { heedModel, type ModelCandidate } from 'heed/integrations/openai-agents'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { refusal, requestOf, speaking } from './fakes.ts'

describe('candidates', () => {
  const client = new OpenAI({ baseURL: 'https://api.example.com/v1', apiKey: 'sk-kit' })
  const namesOf = async (...candidates: Model[]): Promise<readonly string[]> => {
    const refused = candidates.map((model) =>
      Object.assign(model, { getResponse: () => Promise.reject(refusal('permanent')) }),
    )
    const model = heedModel({ candidates: refused })
    const names: string[] = []
    model.health.on('attempt', ({ candidate, provider }) => names.push(`${candidate} of ${provider}`))
    await model.getResponse(requestOf('Hello')).catch(() => undefined)
    return names
  }

  test('are named by what they show, else by their place', async () => {
    expect(
      await namesOf(
        new OpenAIResponsesModel(client, 'gpt-5'),
        new OpenAIChatCompletionsModel(client, 'gpt-5'),
        speaking('Hi'),
      ),
    ).toEqual(['api.example.com/gpt-5 of api.example.com', 'model-2 of model-2', 'model-3 of model-3'])
  })

  const chat = new OpenAIChatCompletionsModel(client, 'gpt-5')
  test.each<[string, readonly (Model | ModelCandidate)[]]>([
    ['a model that does not show its name', [speaking('Hi')]],
    ['one of Chat Completions, which keeps it', [chat]],
    ['one that is made for each attempt', [{ model: () => chat, provider: 'openai' }]],
  ])('%s is not named by its place where others share the health', (_what, candidates) => {
    const health = createHealth()
    expect(() => heedModel({ candidates, health })).toThrow(TypeError)
    expect(() => heedModel({ candidates, health })).toThrow('heed: candidates[0]: give an id and a provider: ')
  })

  test('that say who they are may share a health', () => {
    const health = createHealth()
    const shown = new OpenAIResponsesModel(client, 'gpt-5')
    const named = { model: chat, id: 'example/gpt-5-chat', provider: 'example' }
    expect(heedModel({ candidates: [shown, named], health }).health).toBe(health)
  })

  test.each<[object, string]>([
    [{ candidates: [] }, 'candidates: give at least one'],
    [{ candidates: undefined }, 'candidates: give a list'],
    [{ candidates: ['gpt-5'] }, 'candidates[0]: give a Model'],
    [{ candidates: [undefined] }, 'candidates[0]: give a Model'],
    [{ candidates: [{ id: 'a' }] }, 'candidates[0]: give a Model'],
    [{ candidates: [{ model: speaking('Hi'), producer: {} }] }, 'candidates[0].producer: give a producer'],
    [{ candidates: [speaking('Hi')], producer: {} }, 'producer: give a producer'],
    [{ candidates: [speaking('Hi')], reduce: 3 }, 'reduce: give a function'],
    [{ candidates: [speaking('Hi')], inputTokens: 3 }, 'inputTokens: give a function'],
    [{ candidates: [speaking('Hi')], maxRetries: 3 }, 'maxRetries is not an option'],
    [
      {
        candidates: [
          { id: 'a', model: speaking('Hi') },
          { id: 'a', model: speaking('Hi') },
        ],
      },
      'candidates[1].id',
    ],
  ])('%o is refused', (options, message) => {
    expect(() => heedModel(options as never)).toThrow(message)
  })
})
