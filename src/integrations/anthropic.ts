import type { Anthropic } from '@anthropic-ai/sdk'
import { Stream } from '@anthropic-ai/sdk/core/streaming'
import type { Health } from '../health/health.ts'
import type { Auth } from '../heed.ts'
import type { HeedOptions, Served } from '../options.ts'
import { anthropic } from '../producers/anthropic.ts'
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

export type { ApiRequest, Context as MiddlewareContext, Middleware } from './anthropic/api-request.ts'
export type { MiddlewareCandidate } from './anthropic/candidates.ts'
export { type HeedMiddleware, type HeedMiddlewareOptions, heedMiddleware } from './anthropic/middleware.ts'
export type { ClientCandidate, ClientCredential, Named, SdkClient, SdkEndpoint } from './stainless/client-candidate.ts'
export type { CallSettings, Create, ModelOptional, WithHeed } from './stainless/endpoint.ts'

/** What heed uses of a client: `Anthropic`, its cloud editions and whatever is shaped as they are. */
export interface AnthropicClient extends SdkClient {
  /** The Messages API. */
  readonly messages: SdkEndpoint
}

/**
 * A client of Anthropic's SDK as a candidate: Anthropic itself, a cloud that serves its models, or whoever speaks its
 * API at a `baseURL`. Give a cloud's client the `producer` of its family from `heed/producers`.
 */
export type AnthropicCandidate = ClientCandidate<AnthropicClient>

/** What `heedAnthropic` takes: heed's options, over clients. Their failures are read by `heed/producers/anthropic`. */
export interface HeedAnthropicOptions extends Omit<HeedOptions<Named<AnthropicClient>>, 'candidates'> {
  /** The chain, in order of preference. At least one. */
  readonly candidates: readonly AnthropicCandidate[]
}

type Params = Anthropic.Messages.MessageCreateParams
/** What `create` takes beside the body: the SDK's own request options, and heed's under `heed`. */
export type CreateMessageOptions = WithHeed<Anthropic.RequestOptions, Named<AnthropicClient>, ModelOptional<Params>>

/** `client.messages.create`, by the chain. A candidate's own model goes before the body's. */
export type CreateMessage = Create<
  Anthropic.Messages.MessageCreateParamsNonStreaming,
  Anthropic.Messages.MessageCreateParamsStreaming,
  Anthropic.Messages.Message,
  Stream<Anthropic.Messages.RawMessageStreamEvent>,
  CreateMessageOptions
>

/** A chain of Anthropic clients that is called as one of them. */
export interface HeedAnthropic {
  /** The Messages API, by the chain. */
  readonly messages: { readonly create: CreateMessage }
  /** Who served a message or a stream of `create`, and after which attempts. */
  served(answer: object): Served<Named<AnthropicClient>> | undefined
  /** What operators subscribe to. */
  readonly health: Health
  /** Where humans answer prompts. */
  readonly auth: Auth
}

/**
 * Makes a chain of Anthropic clients. `messages.create` is called as that of the SDK and answers its own messages and
 * streams. The SDK's retries are off for every request; its `timeout` and headers are passed on, and its `signal` ends
 * the call and its request at once. For `messages.stream` and all else that a client does, see {@link heedMiddleware}.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function heedAnthropic(options: HeedAnthropicOptions): HeedAnthropic {
  mustBeOptions(options, 'heedAnthropic', { needs: 'candidates' })
  const candidates = named<AnthropicClient>(options.candidates, {
    host: 'api.anthropic.com',
    provider: 'anthropic',
    make: 'new Anthropic({ … })',
  })
  const guards = new ModelGuards({ ...options, producer: options.producer ?? anthropic, candidates }, isSameClient)
  const served: ServedAnswers<AnthropicClient> = new WeakMap()
  const create = endpoint(
    guards,
    {
      send: (client, body, request) => client.messages.create(body, request),
      producer: anthropic,
      streamOf: streamBy(Stream),
    },
    served,
  )
  return {
    messages: { create: create as CreateMessage },
    served: (answer) => served.get(answer),
    health: guards.health,
    auth: guards.auth,
  }
}
