import type { Producer } from '../../core/producer.ts'
import { type Guard, unwrap } from '../../heed.ts'
import type { CallOptions, Served } from '../../options.ts'
import type { ModelGuards } from '../kit/model-guards.ts'
import { mustBeCallSettings } from '../kit/must-be-call-settings.ts'
import { clientFor, type Named, type SdkClient } from './client-candidate.ts'
import type { StreamOf } from './sdk-stream.ts'

/** What one call may say to heed, beside what it says to the SDK. */
export interface CallSettings<K, B> {
  /** The call may be executed twice without harm. @default the guard's */
  readonly idempotent?: boolean | undefined
  /** Tokens of the input: windows known to be too small are skipped. */
  readonly inputTokens?: number | undefined
  /**
   * Milliseconds for the call with all its attempts; the SDK's own `timeout` is that of one request.
   * @default the guard's
   */
  readonly timeoutMs?: number | undefined
  /** Makes a smaller body after an overflow that no larger window can take. */
  readonly reduce?: CallOptions<K, B>['reduce']
}

/** The SDK's own request options, and heed's under `heed`. `maxRetries` is without effect: heed retries. */
export type WithHeed<O, K, B> = O & { readonly heed?: CallSettings<K, B> | undefined }

/** A body as the SDK takes it. */
interface Params {
  readonly model?: unknown
}

/** A body in which the candidate may say the model. */
export type ModelOptional<B extends Params> = B extends unknown
  ? Omit<B, 'model'> & { model?: B['model'] | undefined }
  : never

/** `create` of an endpoint of the SDK, called by the chain. A candidate's own model goes before the body's. */
export interface Create<Whole extends Params, Streamed extends Params, Answer, Items, Options> {
  (body: ModelOptional<Whole>, options?: Options): Promise<Answer>
  (body: ModelOptional<Streamed>, options?: Options): Promise<Items>
  (body: ModelOptional<Whole | Streamed>, options?: Options): Promise<Answer | Items>
}

/** Who served an answer. */
export type ServedAnswers<C extends SdkClient> = WeakMap<object, Served<Named<C>>>

/** One endpoint of the SDK. */
export interface Endpoint<C> {
  /** Sends a request: `client.messages.create` and the like. */
  readonly send: (client: C, body: never, options: never) => PromiseLike<unknown>
  /** Reads the items of its streams. */
  readonly producer: Producer
  /** Makes the SDK's own stream of them. */
  readonly streamOf: StreamOf
}

interface Body {
  readonly model?: unknown
  readonly stream?: boolean | null | undefined
}

interface RequestOptions {
  readonly signal?: AbortSignal | null | undefined
  readonly heed?: object | undefined
}

/**
 * Makes a function that is called as the SDK's own. A stream is answered once its first content is there: until then a
 * failure goes to the next candidate, and the last one rejects the promise, as a refused request does with the SDK.
 */
export function endpoint<C extends SdkClient>(
  guards: ModelGuards<Named<C>>,
  { send, producer, streamOf }: Endpoint<C>,
  served: ServedAnswers<C>,
): (body: Body, options?: RequestOptions) => Promise<unknown> {
  return async (body, { heed: own, signal, ...request } = {}) => {
    if (own !== undefined) mustBeCallSettings(own, 'heed: options.heed')
    const call: CallOptions<Named<C>, Body> = { ...own, input: body, abortSignal: signal ?? undefined }
    const guard: Guard<Named<C>> = guards.of(body.model)
    const ask: Parameters<typeof guard.settle<unknown, Body>>[0] = (attempt) => {
      const { candidate, credential, input, abortSignal, idempotencyKey } = attempt
      const { client, model = input.model } = candidate
      return send(
        clientFor(client, credential),
        { ...input, model } as never,
        { idempotencyKey, ...request, maxRetries: 0, signal: abortSignal } as never,
      )
    }
    if (body.stream !== true) {
      const outcome = await guard.settle(ask, call)
      const answer = unwrap(outcome)
      if (outcome.status === 'completed') remember(answer, outcome.served)
      return answer
    }
    const items = guard.stream(ask as (attempt: unknown) => Promise<AsyncIterable<unknown>>, {
      ...call,
      isContent: (item) => producer.isContent?.(item) ?? true,
      isEnd: (item) => producer.isEnd?.(item) === true,
      // A model may have nothing to say, and says that it has ended; a stream that says neither is no answer.
      allowEmpty: true,
    })
    const opened = await items.opened
    const answer = streamOf(items)
    remember(answer, opened)
    return answer
  }

  function remember(answer: unknown, by: Served<Named<C>>): void {
    if (typeof answer === 'object' && answer !== null) served.set(answer, by)
  }
}
