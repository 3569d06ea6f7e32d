import { createOpenAI } from '@ai-sdk/openai'
import type { EmbeddingModelV3, EmbeddingModelV4 } from '@ai-sdk/provider'
import { embed, embedMany } from 'ai'
import { MockEmbeddingModelV4 } from 'ai/test'
import { heedEmbeddingModel } from 'heed/integrations/ai-sdk'
import { describe, expect, test } from 'vitest'
import { stated } from './scripted.ts'

/** A model whose vectors are the lengths of the texts. */
function embedding(modelId: string, settings: Partial<EmbeddingModelV4> = {}, ...failures: readonly Error[]) {
  const failing = [...failures]
  return new MockEmbeddingModelV4({
    provider: `${modelId}-provider.embedding`,
    modelId,
    maxEmbeddingsPerCall: settings.maxEmbeddingsPerCall ?? null,
    supportsParallelCalls: settings.supportsParallelCalls === true,
    doEmbed: async ({ values }) => {
      const failure = failing.shift()
      if (failure !== undefined) throw failure
      return { embeddings: values.map((value) => [value.length]), usage: { tokens: 1 }, warnings: [] }
    },
  })
}

test('a model that is down gives way to the next, which is named', async () => {
  const model = heedEmbeddingModel({ candidates: [embedding('a', {}, stated('permanent')), embedding('b')] })
  const result = await embed({ model, value: 'four', maxRetries: 0 })
  expect(result.embedding).toEqual([4])
  expect(result.providerMetadata?.['heed']).toEqual({
    candidate: 'b-provider.embedding/b',
    provider: 'b-provider',
    attempts: 2,
  })
})

describe('batches', () => {
  test('are as large as the smallest that any candidate takes, and each is guarded', async () => {
    const [a, b] = [
      embedding('a', { maxEmbeddingsPerCall: 100 }, stated('permanent')),
      embedding('b', { maxEmbeddingsPerCall: 2 }),
    ]
    const model = heedEmbeddingModel({ candidates: [a, b] })
    const { embeddings } = await embedMany({ model, values: ['1', '22', '333', '4444', '5'], maxRetries: 0 })
    expect(embeddings).toEqual([[1], [2], [3], [4], [1]])
    expect(await model.maxEmbeddingsPerCall).toBe(2)
    expect(await model.supportsParallelCalls).toBe(false)
  })

  test('have no limit where no candidate has one, and run side by side where all can', async () => {
    const model = heedEmbeddingModel({
      candidates: [embedding('a', { supportsParallelCalls: true }), embedding('b', { supportsParallelCalls: true })],
    })
    expect(await model.maxEmbeddingsPerCall).toBeUndefined()
    expect(await model.supportsParallelCalls).toBe(true)
  })

  test('keep to the bytes that a provider of the SDK states', async () => {
    const openai = createOpenAI({ apiKey: 'PLACEHOLDER' }).embedding('text-embedding-3-small')
    const symbol = Symbol.for('vercel.ai.embeddingModel.maxInputBytesPerCall')
    const stated = (openai as unknown as Record<symbol, unknown>)[symbol]
    expect(stated).toBeTypeOf('number')
    const model = heedEmbeddingModel({ candidates: [openai, embedding('b')] })
    expect(await (model as unknown as Record<symbol, unknown>)[symbol]).toBe(stated)
  })
})

test.each([
  ['a model of version 3', (model: EmbeddingModelV3) => model],
  ['one that is frozen', (model: EmbeddingModelV3) => Object.freeze(model)],
])('%s is a candidate', async (_name, made) => {
  const older = made({
    specificationVersion: 'v3',
    provider: 'old',
    modelId: 'three',
    maxEmbeddingsPerCall: 7,
    supportsParallelCalls: true,
    doEmbed: async () => ({ embeddings: [[3]], warnings: [] }),
  })
  const model = heedEmbeddingModel({ candidates: [older] })
  expect(await model.maxEmbeddingsPerCall).toBe(7)
  expect((await embed({ model, value: 'x', maxRetries: 0 })).embedding).toEqual([3])
})

test('what is no embedding model is refused, with the place and the fix', () => {
  expect(() => heedEmbeddingModel({ candidates: ['openai/x'] as never })).toThrow(/candidates\[0\].*gateway/)
  expect(() => heedEmbeddingModel({ candidates: [{ specificationVersion: 'v4' }] as never })).toThrow(/candidates\[0\]/)
})
