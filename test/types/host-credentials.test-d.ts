import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import type { BaseMessage } from '@langchain/core/messages'
import type { Runnable } from '@langchain/core/runnables'
import type { Model } from '@openai/agents-core'
import * as aiSdk from 'heed/integrations/ai-sdk'
import * as langchain from 'heed/integrations/langchain'
import * as openaiAgents from 'heed/integrations/openai-agents'
import { describe, expectTypeOf, test } from 'vitest'

interface Key {
  readonly id: string
  readonly secret: string
}

declare const listed: readonly Key[]
declare const maybe: readonly Key[] | undefined
const named = { id: 'a', provider: 'p' }

describe('AI SDK', () => {
  const model = null as unknown as LanguageModelV4
  const of = (_secret: string): LanguageModelV4 => model

  test('each function is told of credentials as its own candidate lists them', () => {
    aiSdk.heedModel({
      candidates: [
        model,
        { ...named, credentials: [{ id: 'k1', secret: 's1' }], model: (credential) => of(credential.secret) },
        { ...named, credentials: [{ id: 'k1', token: 't1' }], model: (credential) => of(credential.token) },
        { ...named, credentials: ['k1', 'k2'], model: (credential) => of(credential) },
        { ...named, model: (credential) => of(credential.secret), credentials: listed },
        { ...named, credentials: maybe, model: (credential) => of(credential?.secret ?? '') },
        {
          ...named,
          model: (credential) => {
            expectTypeOf(credential).toEqualTypeOf<undefined>()
            return model
          },
        },
        { ...named, model },
      ],
    })
    const embedding = null as unknown as EmbeddingModelV4
    aiSdk.heedEmbeddingModel({
      candidates: [
        {
          credentials: listed,
          model: (credential) => {
            expectTypeOf(credential).toEqualTypeOf<Key>()
            return embedding
          },
        },
      ],
    })
  })

  test('a wrong use does not compile', () => {
    // @ts-expect-error no such field
    aiSdk.heedModel({ candidates: [{ credentials: listed, model: (credential) => of(credential.token) }] })
    // @ts-expect-error the list may be absent
    aiSdk.heedModel({ candidates: [{ credentials: maybe, model: (credential) => of(credential.secret) }] })
    // @ts-expect-error none are listed
    aiSdk.heedModel({ candidates: [{ model: (credential) => of(credential.secret) }] })
    // @ts-expect-error no id
    aiSdk.heedModel({ candidates: [{ credentials: [{ secret: 's1' }], model: () => model }] })
    // @ts-expect-error a model that is made has its key
    aiSdk.heedModel({ candidates: [{ credentials: listed, model }] })
    // @ts-expect-error not a list
    aiSdk.heedModel({ candidates: [{ credentials: 'k1', model: () => model }] })
    // @ts-expect-error a misspelt field
    aiSdk.heedModel({ candidates: [{ credential: listed, model: () => model }] })
    // @ts-expect-error no model
    aiSdk.heedModel({ candidates: [{ credentials: listed, model: (credential) => credential.secret }] })
  })

  test('lists and options that were made before fit', () => {
    const candidates: (LanguageModelV4 | aiSdk.ModelCandidate<LanguageModelV4>)[] = []
    aiSdk.heedModel({ candidates })
    const options: aiSdk.HeedModelOptions = { candidates: [model, { ...named, model: () => model }] }
    aiSdk.heedModel(options)
    aiSdk.heedModel({ candidates: listed.map((key) => ({ credentials: [key], model: (k: Key) => of(k.secret) })) })
  })
})

describe('LangChain', () => {
  const runnable = null as unknown as Runnable<BaseMessage[], number>
  const of = (_secret: string): Runnable<BaseMessage[], string> => null as never

  test('each function is told of credentials as its own candidate lists them', () => {
    langchain.heedModels({
      fallbacks: [
        runnable,
        { ...named, credentials: [{ id: 'k1', secret: 's1' }], model: (credential) => of(credential.secret) },
        { ...named, credentials: ['k1'], model: (credential) => of(credential) },
        { ...named, model: (credential) => (credential satisfies undefined) ?? runnable },
      ],
    })
    // @ts-expect-error no such field
    langchain.heedModels({ fallbacks: [{ ...named, credentials: listed, model: (key) => of(key.token) }] })
    // @ts-expect-error a model that is made has its key
    langchain.heedModels({ fallbacks: [{ ...named, credentials: listed, model: runnable }] })
    // @ts-expect-error none are listed
    langchain.heedModels({ fallbacks: [{ ...named, model: (key) => of(key.secret) }] })
  })

  test('a Runnable takes and answers what its candidates do', () => {
    const chain = langchain.heedRunnable({
      candidates: [
        runnable,
        { ...named, credentials: [{ id: 'k1', secret: 's1' }], model: async (credential) => of(credential.secret) },
        { ...named, model: (credential) => of(credential), credentials: ['k1'] },
      ],
      call: (input) => {
        expectTypeOf(input).toEqualTypeOf<BaseMessage[]>()
        return { reduce: (messages) => messages.slice(1) }
      },
    })
    expectTypeOf(chain).toEqualTypeOf<langchain.HeedRunnable<BaseMessage[], number | string>>()
    // @ts-expect-error no such field
    langchain.heedRunnable({ candidates: [{ ...named, credentials: listed, model: (key) => of(key.token) }] })
    // @ts-expect-error a model that is made has its key
    langchain.heedRunnable({ candidates: [{ ...named, credentials: listed, model: runnable }] })
    // @ts-expect-error none are listed
    langchain.heedRunnable({ candidates: [{ ...named, model: (key) => of(key.secret) }] })
    // @ts-expect-error no runnable
    langchain.heedRunnable({ candidates: [{ ...named, credentials: listed, model: (key) => key.secret }] })
    // @ts-expect-error no candidate
    langchain.heedRunnable({ candidates: ['gpt-5'] })
  })
})

describe('OpenAI Agents', () => {
  const model = null as unknown as Model
  const of = (_secret: string): Model => model

  test('each function is told of credentials as its own candidate lists them', () => {
    openaiAgents.heedModel({
      candidates: [
        model,
        { credentials: [{ id: 'k1', secret: 's1' }], model: ({ credential }) => of(credential.secret) },
        { credentials: ['k1'], model: async (attempt) => of(attempt.credential) },
        {
          model: ({ credential, number }) => {
            expectTypeOf(credential).toEqualTypeOf<undefined>()
            expectTypeOf(number).toEqualTypeOf<number>()
            return model
          },
        },
      ],
    })
    // @ts-expect-error no such field
    openaiAgents.heedModel({ candidates: [{ credentials: listed, model: ({ credential }) => of(credential.token) }] })
    // @ts-expect-error none are listed
    openaiAgents.heedModel({ candidates: [{ model: ({ credential }) => of(credential.secret) }] })
    // @ts-expect-error a model that is made has its key
    openaiAgents.heedModel({ candidates: [{ credentials: listed, model }] })
  })
})
