import type { LanguageModelV4 } from '@ai-sdk/provider'
import type * as aiSdk from 'heed/integrations/ai-sdk'
import type * as anthropic from 'heed/integrations/anthropic'
import type * as langchain from 'heed/integrations/langchain'
import type * as openai from 'heed/integrations/openai'
import type * as openaiAgents from 'heed/integrations/openai-agents'
import { describe, expectTypeOf, test } from 'vitest'

/** What `reduce` is told of, as a function with a name must write it down. */
type Reduced<O extends { readonly reduce?: unknown }> =
  NonNullable<O['reduce']> extends (input: never, context: infer X extends { readonly candidate: unknown }) => unknown
    ? X['candidate']
    : never

describe('what stands in a public signature can be named', () => {
  test('AI SDK', () => {
    type Candidate = Reduced<aiSdk.HeedModelOptions>
    expectTypeOf<Candidate>().toEqualTypeOf<aiSdk.ChainLink<LanguageModelV4>>()
  })

  test('OpenAI', () => {
    type Client = openai.OpenAIClient
    type Settings = NonNullable<openai.CreateChatCompletionOptions['heed']>
    expectTypeOf<Reduced<Settings>>().toEqualTypeOf<openai.Named<Client>>()
    expectTypeOf<Client>().toExtend<openai.SdkClient>()
    expectTypeOf<Client['responses']>().toEqualTypeOf<openai.SdkEndpoint>()
    expectTypeOf<openai.OpenAICandidate>().toEqualTypeOf<openai.ClientCandidate<Client>>()
    type Keys = NonNullable<openai.OpenAICandidate['credentials']>
    expectTypeOf<Keys[number]>().toEqualTypeOf<openai.ClientCredential>()
  })

  test('Anthropic', () => {
    type Settings = NonNullable<anthropic.CreateMessageOptions['heed']>
    expectTypeOf<Reduced<Settings>>().toEqualTypeOf<anthropic.Named<anthropic.AnthropicClient>>()
    type Candidates = NonNullable<anthropic.HeedMiddlewareOptions['candidates']>
    expectTypeOf<Candidates[number]>().toEqualTypeOf<anthropic.MiddlewareCandidate>()
    expectTypeOf<anthropic.HeedMiddleware>().toExtend<anthropic.Middleware>()
    expectTypeOf<Parameters<anthropic.HeedMiddleware>[2]>().toEqualTypeOf<anthropic.MiddlewareContext>()
  })

  test('LangChain', () => {
    type Call = NonNullable<langchain.HeedModelsOptions['call']>
    expectTypeOf<Parameters<Call>[0]>().toEqualTypeOf<langchain.ModelRequest>()
    expectTypeOf<langchain.HeedTools>().toExtend<langchain.Middleware>()
    expectTypeOf<Reduced<langchain.RunnableCallOptions<string>>>().toEqualTypeOf<langchain.ChainLink>()
    expectTypeOf<langchain.InputOf<langchain.Listed>>().not.toBeNever()
  })

  test('OpenAI Agents', () => {
    type Candidate = Reduced<openaiAgents.HeedModelOptions>
    expectTypeOf<Candidate>().toEqualTypeOf<openaiAgents.NamedCandidate>()
    expectTypeOf<NonNullable<Candidate['producer']>>().toExtend<openaiAgents.AgentsProducer>()
  })
})
