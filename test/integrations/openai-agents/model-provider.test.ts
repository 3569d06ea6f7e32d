import { Agent, type Model, type ModelProvider, Runner } from '@openai/agents-core'
import { OpenAIProvider } from '@openai/agents-openai'
import { heedModelProvider } from 'heed/integrations/openai-agents'
import { describe, expect, test } from 'vitest'
import { inOrder, startProvider } from '../kit/provider-server.ts'
import { refusals } from '../kit/refusals.ts'
import { answer, refuse } from '../kit/steps.ts'
import { refusal, refusing, requestOf, speaking } from './fakes.ts'

/** A provider that shows which models it was asked for. */
function providerOf(model: Model, asked: (string | undefined)[] = []): ModelProvider {
  return {
    getModel: (name) => {
      asked.push(name)
      return model
    },
  }
}

const textOf = async (model: Model): Promise<unknown> => {
  const { output } = await model.getResponse(requestOf('Hello'))
  return output[0]
}

describe('a provider of models', () => {
  test('serves a runner with the real providers', async () => {
    const a = await startProvider(inOrder(refuse(refusals.responses.permanent)))
    const b = await startProvider(inOrder(answer('from b')))
    try {
      const at = (url: string, useResponses: boolean): ModelProvider =>
        new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: 'sk-kit', useResponses })
      const modelProvider = heedModelProvider({
        candidates: [
          { modelProvider: at(a.url, true), provider: 'first' },
          { modelProvider: at(b.url, false), provider: 'second', modelName: 'model-b' },
        ],
      })
      const heard: string[] = []
      modelProvider.health.on('attempt', ({ candidate }) => heard.push(candidate))
      const runner = new Runner({ modelProvider, tracingDisabled: true })
      const { finalOutput } = await runner.run(new Agent({ name: 'A', model: 'model-a' }), 'Hello')
      expect(finalOutput).toBe('from b')
      expect([a.requests[0]?.model, b.requests[0]?.model]).toEqual(['model-a', 'model-b'])
      expect(heard).toEqual(['first/model-a', 'second/model-b'])
    } finally {
      await Promise.all([a.close(), b.close()])
    }
  })

  test('asks for the agent’s model, for the one it was told, and for the default', async () => {
    const asked: (string | undefined)[] = []
    const provider = heedModelProvider({ candidates: [providerOf(speaking('well'), asked)] })
    await textOf(await provider.getModel('big'))
    await textOf(await provider.getModel())
    expect(asked).toEqual(['big', 'big', undefined, undefined])
    expect(await provider.getModel('big')).toBe(await provider.getModel('big'))
  })

  test('all its models share one health: what one learns holds for the others', async () => {
    const asked: (string | undefined)[] = []
    const provider = heedModelProvider({
      candidates: [providerOf(refusing(refusal('auth_required')), asked), providerOf(speaking('well'))],
      auth: () => 'advance',
    })
    await textOf(await provider.getModel('big'))
    expect(provider.auth.pending()).toMatchObject([{ provider: 'provider-1' }])
    const small = await provider.getModel('small')
    asked.length = 0
    await textOf(small)
    expect(asked).toEqual([])
  })

  test('a provider is asked anew in every attempt, and so are those that had no model before', async () => {
    let token: string | undefined
    const late: ModelProvider = {
      getModel: () => {
        if (token === undefined) throw refusal('auth_required')
        return speaking(token)
      },
    }
    const provider = heedModelProvider({ candidates: [{ modelProvider: late, provider: 'late' }] })
    provider.health.on('auth_prompt', ({ provider: name }) => {
      token = 'renewed'
      provider.auth.resolve(name)
    })
    expect(await textOf(await provider.getModel())).toMatchObject({ content: [{ text: 'renewed' }] })
  })

  test('lets a prompt choose the model only where all of its models do', async () => {
    const choosing: Model = { ...speaking('well'), supportsPromptModelSelection: true }
    const told = async (...models: Model[]): Promise<unknown> => {
      const provider = heedModelProvider({ candidates: models.map((model) => providerOf(model)) })
      return (await provider.getModel()).supportsPromptModelSelection
    }
    expect(await told(choosing, choosing)).toBe(true)
    expect(await told(choosing, speaking('well'))).toBe(false)
  })

  test('asks again what a provider that had no model could not say', async () => {
    let asked = 0
    const late: ModelProvider = {
      getModel: () => {
        asked += 1
        if (asked === 1) throw refusal('transient')
        return speaking('well')
      },
    }
    const choosing: Model = { ...speaking('well'), supportsPromptModelSelection: true }
    const provider = heedModelProvider({ candidates: [late, providerOf(choosing)] })
    expect((await provider.getModel('big')).supportsPromptModelSelection).toBe(true)
    expect((await provider.getModel('big')).supportsPromptModelSelection).toBe(false)
    expect(await provider.getModel('big')).toBe(await provider.getModel('big'))
    expect(asked).toBe(2)
  })

  test.each([
    [[], 'candidates: give at least one'],
    [undefined, 'candidates: give a list'],
    [[{}], 'candidates[0]: give a ModelProvider'],
    [[undefined], 'candidates[0]: give a ModelProvider'],
    [[{ modelProvider: speaking('no') }], 'candidates[0]: give a ModelProvider'],
  ])('%o is refused', (candidates, message) => {
    expect(() => heedModelProvider({ candidates: candidates as never })).toThrow(message)
  })
})
