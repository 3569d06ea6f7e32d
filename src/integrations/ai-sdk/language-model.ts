import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Credential } from '../../core/candidate.ts'
import { type Guard, heed } from '../../heed.ts'
import type { Attempt, HeedOptions, ReduceInput } from '../../options.ts'
import type { Credentials } from '../kit/credential-list.ts'
import { mustBeFunctions, mustBeOptions } from '../kit/must-be-options.ts'
import { type AnyLanguageModel, asV4 } from './as-v4.ts'
import { settingsOf } from './call-settings.ts'
import { type ChainLink, chainOf, type ModelList } from './candidates.ts'
import { partTests } from './part-tests.ts'
import { asOwn, Repeats } from './repeats.ts'
import { withServed } from './served.ts'
import { servedStream } from './served-stream.ts'
import { sharedUrls } from './supported-urls.ts'

type Link = ChainLink<LanguageModelV4>

/** What `heedModel()` takes: models, and every option of `heed()`; `Ls` is the lists of credentials. */
export interface HeedModelOptions<Ls extends readonly unknown[] = readonly Credentials[]>
  extends Omit<HeedOptions<Link>, 'candidates'> {
  /** The models in order of preference, each alone or as `{ model, id, contextWindow, … }`. At least one. */
  readonly candidates: ModelList<AnyLanguageModel, Ls>
  /**
   * Makes smaller options (a shorter prompt) after an overflow that no larger window can take. @default none: the
   * overflow surfaces
   */
  readonly reduce?: ReduceInput<Link, LanguageModelV4CallOptions> | undefined
}

/** A chain of models that is a model. */
export interface HeedModel extends LanguageModelV4 {
  /** What operators subscribe to. */
  readonly health: Guard<Link>['health']
  /** Where humans answer prompts. */
  readonly auth: Guard<Link>['auth']
}

/**
 * A chain of models as one model, for everything of the AI SDK that takes one. `provider`, `modelId` and telemetry name
 * the first; `response.modelId` and `providerMetadata.heed` (see `HeedMetadata`) name the one that served. Give the
 * SDK `maxRetries: 0` and leave `streamRetries` out: its retries would repeat what must not be repeated.
 *
 * `doStream` answers at the commit; until then failures reject it, unless the failure was a part of the stream and is
 * passed on as that. A finish without content is an answer where it gives a reason; one that says `interrupted` or
 * `error` is none. The loop, its decisions and what is thrown are heed's: see `Guard`.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function heedModel<Ls extends readonly unknown[] | []>(options: HeedModelOptions<Ls>): HeedModel {
  mustBeOptions(options, 'heedModel', { needs: 'candidates' })
  const { candidates, reduce, ...rest } = options
  mustBeFunctions({ reduce }, 'heedModel')
  const needs = { name: 'heedModel', method: 'doGenerate', producer: rest.producer, adapt: asV4 }
  const chain = chainOf<AnyLanguageModel, LanguageModelV4>(candidates, needs)
  const guard = heed({ ...rest, candidates: chain })
  const models = chain.map(({ shown }) => shown)
  const { provider, modelId } = models[0] as LanguageModelV4
  const repeats = new Repeats({ provider, modelId })

  const callOf = (call: LanguageModelV4CallOptions) => {
    repeats.asked(call)
    return { ...settingsOf(call.providerOptions), abortSignal: call.abortSignal, input: call, reduce }
  }

  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    get supportedUrls() {
      return sharedUrls(models)
    },
    health: guard.health,
    auth: guard.auth,

    doGenerate: async (call) => {
      const options = callOf(call)
      try {
        return await guard.execute(async (attempt: Attempt<Link, LanguageModelV4CallOptions>) => {
          const result = await modelOf(attempt).doGenerate(optionsOf(attempt))
          const providerMetadata = withServed(result.providerMetadata, attempt.candidate, attempt.number)
          return { ...result, providerMetadata }
        }, options)
      } catch (error) {
        repeats.failed(call, error)
        throw error
      }
    },

    doStream: async (call) => {
      const answers: Awaited<ReturnType<LanguageModelV4['doStream']>>[] = []
      const stream = guard.stream(
        async (attempt: Attempt<Link, LanguageModelV4CallOptions>) => {
          const answer = await modelOf(attempt).doStream(optionsOf(attempt))
          answers[attempt.number] = answer
          return answer.stream
        },
        { ...callOf(call), ...partTests(), allowEmpty: true },
      )
      const { candidate, attempts } = await stream.opened.catch((error: unknown) => {
        repeats.failed(call, error)
        throw error
      })
      const handedOn = (part: LanguageModelV4StreamPart): LanguageModelV4StreamPart => {
        if (part.type === 'error') repeats.failed(call, part.error, true)
        if (part.type !== 'finish') return part
        return { ...part, providerMetadata: withServed(part.providerMetadata, candidate, attempts.length) }
      }
      return { ...answers[attempts.length], stream: servedStream(stream.toReadableStream(), handedOn) }
    },
  }
}

function modelOf({ candidate, credential }: Attempt<Link, unknown>): LanguageModelV4 {
  return candidate.modelFor(credential as Credential | undefined)
}

function optionsOf({ input, abortSignal }: Attempt<Link, LanguageModelV4CallOptions>): LanguageModelV4CallOptions {
  return asOwn({ ...input, abortSignal })
}
