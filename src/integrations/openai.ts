import type { OpenAI } from 'openai'
import { Stream } from 'openai/core/streaming'
import type { Producer } from '../core/producer.ts'
import type { Health } from '../health/health.ts'
import type { Auth } from '../heed.ts'
import type { HeedOptions, Served } from '../options.ts'
import { openai } from '../producers/openai.ts'
import { openaiResponses } from '../producers/openai-responses.ts'
import { ModelGuards } from './kit/model-guards.ts'
import { mustBeOptions } from './kit/must-be-options.ts'
import {
  type ClientCandidate,
  isSameClient,
  type Named,
  named,
  type SdkClient,
  type SdkEndpoint,
} from './stainless/client-candidate.ts'
import { type Create, endpoint, type ModelOptional, type ServedAnswers, type WithHeed } from './stainless/endpoint.ts'
import { streamBy } from './stainless/sdk-stream.ts'

export type { ClientCandidate, ClientCredential, Named, SdkClient, SdkEndpoint } from './stainless/client-candidate.ts'
export type { CallSettings, Create, ModelOptional, WithHeed } from './stainless/endpoint.ts'

/** What heed uses of a client: `OpenAI`, `AzureOpenAI` and whatever is shaped as they are. */
export interface OpenAIClient extends SdkClient {
  /** The Chat Completions API. */
  readonly chat: { readonly completions: SdkEndpoint }
  /** The Responses API. */
  readonly responses: SdkEndpoint
}

/**
 * A client of OpenAI's SDK as a candidate: OpenAI itself, Azure, or whoever speaks its APIs at a `baseURL`. Give the
 * latter a `producer` of their own family from `heed/producers`.
 */
export type OpenAICandidate = ClientCandidate<OpenAIClient>

/** What `heedOpenAI` takes: heed's options, over clients. */
export interface HeedOpenAIOptions extends Omit<HeedOptions<Named<OpenAIClient>>, 'candidates'> {
  /** The chain, in order of preference. At least one. */
  readonly candidates: readonly OpenAICandidate[]
  /** Reads the failures of candidates that have no producer. @default that of OpenAI's API, chat or responses */
  readonly producer?: Producer | undefined
}

type Chat = OpenAI.Chat.ChatCompletionCreateParams
/** What `chat.completions.create` takes beside the body: the SDK's own request options, and heed's under `heed`. */
export type CreateChatCompletionOptions = WithHeed<OpenAI.RequestOptions, Named<OpenAIClient>, ModelOptional<Chat>>

/** `client.chat.completions.create`, by the chain. A candidate's own model goes before the body's. */
export type CreateChatCompletion = Create<
  OpenAI.Chat.ChatCompletionCreateParamsNonStreaming,
  OpenAI.Chat.ChatCompletionCreateParamsStreaming,
  OpenAI.Chat.ChatCompletion,
  Stream<OpenAI.Chat.ChatCompletionChunk>,
  CreateChatCompletionOptions
>

type Responses = OpenAI.Responses.ResponseCreateParams
/** What `responses.create` takes beside the body: the SDK's own request options, and heed's under `heed`. */
export type CreateResponseOptions = WithHeed<OpenAI.RequestOptions, Named<OpenAIClient>, ModelOptional<Responses>>

/** `client.responses.create`, by the chain. A candidate's own model goes before the body's. */
export type CreateResponse = Create<
  OpenAI.Responses.ResponseCreateParamsNonStreaming,
  OpenAI.Responses.ResponseCreateParamsStreaming,
  OpenAI.Responses.Response,
  Stream<OpenAI.Responses.ResponseStreamEvent>,
  CreateResponseOptions
>

/** A chain of OpenAI clients that is called as one of them. */
export interface HeedOpenAI {
  /** The Chat Completions API, by the chain. */
  readonly chat: { readonly completions: { readonly create: CreateChatCompletion } }
  /** The Responses API, by the chain. */
  readonly responses: { readonly create: CreateResponse }
  /** Who served an answer or a stream of `create`, and after which attempts. */
  served(answer: object): Served<Named<OpenAIClient>> | undefined
  /** What operators subscribe to. Both APIs share it. */
  readonly health: Health
  /** Where humans answer prompts. */
  readonly auth: Auth
}

/**
 * Makes a chain of OpenAI clients. `chat.completions.create` and `responses.create` are called as those of the SDK and
 * answer its own objects and streams. The SDK's retries are off for every request; its `timeout` and headers are passed
 * on, and its `signal` ends the call and its request at once.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function heedOpenAI(options: HeedOpenAIOptions): HeedOpenAI {
  mustBeOptions(options, 'heedOpenAI', { needs: 'candidates' })
  const candidates = named<OpenAIClient>(options.candidates, {
    host: 'api.openai.com',
    provider: 'openai',
    make: 'new OpenAI({ … })',
  })
  // Guards of its own for each API, as their failures are read by different families. What calls are told is shared.
  const guardsFor = (producer: Producer, health: Health | undefined): ModelGuards<Named<OpenAIClient>> =>
    new ModelGuards({ ...options, producer: options.producer ?? producer, candidates, health }, isSameClient)
  const chat = guardsFor(openai, options.health)
  const responses = guardsFor(openaiResponses, chat.health)
  const served: ServedAnswers<OpenAIClient> = new WeakMap()
  const streamOf = streamBy(Stream)
  const createChat = endpoint(
    chat,
    { send: (client, body, request) => client.chat.completions.create(body, request), producer: openai, streamOf },
    served,
  )
  const createResponse = endpoint(
    responses,
    { send: (client, body, request) => client.responses.create(body, request), producer: openaiResponses, streamOf },
    served,
  )
  return {
    chat: { completions: { create: createChat as CreateChatCompletion } },
    responses: { create: createResponse as CreateResponse },
    served: (answer) => served.get(answer),
    health: chat.health,
    auth: chat.auth,
  }
}
