import type { Model, ModelProvider } from '@openai/agents-core'
import { createHealth } from 'heed'
import { heedModelProvider, type ModelProviderCandidate } from 'heed/integrations/openai-agents'
import { describe, expect, test } from 'vitest'
import { refusal, refusing, requestOf, speaking } from './fakes.ts'

/** A provider of which some models refuse, with what it was asked for in attempts. */
function providing(refused: Readonly<Record<string, Error>>) {
  const asked: string[] = []
  const modelProvider: ModelProvider = {
    getModel: (name = 'its own') => {
      const model = refused[name] === undefined ? speaking('Hi') : refusing(refused[name])
      const noting: Model['getResponse'] = (request) => {
        asked.push(name)
        return model.getResponse(request)
      }
      return { ...model, getResponse: noting }
    },
  }
  return { asked, modelProvider }
}

/** Asks each model once, and answers which candidates were asked in all. */
async function idsOf(candidates: readonly ModelProviderCandidate[], ...names: readonly (string | undefined)[]) {
  const chain = heedModelProvider({ candidates })
  chain.health.on('auth_prompt', ({ provider }) => chain.auth.decline(provider))
  const ids: string[] = []
  chain.health.on('attempt', ({ candidate }) => ids.push(candidate))
  for (const name of names) {
    const model = await chain.getModel(name)
    await model.getResponse(requestOf('Hello')).catch(() => undefined)
  }
  return ids
}

const limited = refusal('transient', { retry_after_secs: 100 })

describe('what a provider’s model is refused', () => {
  test('counts for that model alone, with an id and without', async () => {
    for (const named of [{ id: 'oa', provider: 'oa' }, { provider: 'oa' }]) {
      const { asked, modelProvider } = providing({ 'gpt-5': limited })
      const ids = await idsOf([{ ...named, modelProvider }], 'gpt-5', 'gpt-5-mini', 'gpt-5', undefined)
      expect(asked).toEqual(['gpt-5', 'gpt-5-mini', 'its own'])
      expect(ids).toEqual(['oa/gpt-5', 'oa/gpt-5-mini', 'oa/default'])
    }
  })

  test('counts whatever is asked for where the candidate fixes the model', async () => {
    const { asked, modelProvider } = providing({ 'gpt-5': limited })
    const fixed = { id: 'oa', provider: 'oa', modelProvider, modelName: 'gpt-5' }
    expect(await idsOf([fixed], 'gpt-5', 'gpt-5-mini')).toEqual(['oa'])
    expect(asked).toEqual(['gpt-5'])
  })

  test('counts for all where it is the key', async () => {
    const { asked, modelProvider } = providing({ 'gpt-5': refusal('auth_required') })
    await idsOf([{ id: 'oa', provider: 'oa', modelProvider }], 'gpt-5', 'gpt-5-mini')
    expect(asked).toEqual(['gpt-5'])
  })

  test('is asked for once where a fallback fixes the model that is asked for', async () => {
    const { asked, modelProvider } = providing({ 'gpt-5': refusal('permanent') })
    const candidates = [
      { provider: 'oa', modelProvider },
      { provider: 'oa', modelProvider, modelName: 'gpt-5' },
    ]
    expect(await idsOf(candidates, 'gpt-5')).toEqual(['oa/gpt-5'])
    expect(asked).toEqual(['gpt-5'])
  })

  test('is remembered by a health that other chains share, so that a provider needs a name there', () => {
    const { modelProvider } = providing({})
    const health = createHealth()
    const make = (candidate: ModelProviderCandidate) => () => heedModelProvider({ candidates: [candidate], health })
    expect(make({ modelProvider })).toThrow(TypeError)
    expect(make({ modelProvider, id: 'oa' })).toThrow('heed: candidates[0]: give a provider: ')
    expect(make({ modelProvider, provider: 'oa' })().health).toBe(health)
  })

  test.each([[''], [3]])('is kept by no id that is none: %j', (id) => {
    const candidate = { ...providing({}), provider: 'oa', id: id as string }
    expect(() => heedModelProvider({ candidates: [candidate] })).toThrow('heed: candidates[0].id: give a name')
  })
})
