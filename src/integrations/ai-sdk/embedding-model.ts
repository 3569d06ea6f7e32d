import type {
  EmbeddingModelV2,
  EmbeddingModelV3,
  EmbeddingModelV4,
  EmbeddingModelV4CallOptions,
} from '@ai-sdk/provider'
import { type Guard, heed } from '../../heed.ts'
import type { Attempt, HeedOptions } from '../../options.ts'
import type { Credentials } from '../kit/credential-list.ts'
import { mustBeOptions } from '../kit/must-be-options.ts'
import { standIn } from '../kit/stand-in.ts'
import { settingsOf } from './call-settings.ts'
import { type ChainLink, chainOf, type ModelList } from './candidates.ts'
import { asOwn, Repeats } from './repeats.ts'
import { withServed } from './served.ts'

/** An embedding model of any version of the specification that the SDK accepts. */
export type AnyEmbeddingModel = EmbeddingModelV4 | EmbeddingModelV3 | EmbeddingModelV2<string>

type Link = ChainLink<EmbeddingModelV4>

/** What `heedEmbeddingModel()` takes: models, and every option of `heed()`; `Ls` is the lists of credentials. */
export interface HeedEmbeddingModelOptions<Ls extends readonly unknown[] = readonly Credentials[]>
  extends Omit<HeedOptions<Link>, 'candidates'> {
  /**
   * The same model at several hosts, in order of preference: vectors of two models cannot be compared, and an index
   * that holds both finds nothing. At least one.
   */
  readonly candidates: ModelList<AnyEmbeddingModel, Ls>
}

/** A chain of embedding models that is a model. */
export interface HeedEmbeddingModel extends EmbeddingModelV4 {
  /** What operators subscribe to. */
  readonly health: Guard<Link>['health']
  /** Where humans answer prompts. */
  readonly auth: Guard<Link>['auth']
}

/**
 * A chain of embedding models as one model, for `embed` and `embedMany`; see {@link heedModel}. Batches are as large as
 * the smallest that any candidate takes, and run side by side where all can.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function heedEmbeddingModel<Ls extends readonly unknown[] | []>(
  options: HeedEmbeddingModelOptions<Ls>,
): HeedEmbeddingModel {
  mustBeOptions(options, 'heedEmbeddingModel', { needs: 'candidates' })
  const { candidates, ...rest } = options
  const needs = { name: 'heedEmbeddingModel', method: 'doEmbed', producer: rest.producer, adapt }
  const chain = chainOf<AnyEmbeddingModel, EmbeddingModelV4>(candidates, needs)
  const guard = heed({ ...rest, candidates: chain })
  const models = chain.map(({ shown }) => shown)
  const { provider, modelId } = models[0] as EmbeddingModelV4
  const repeats = new Repeats({ provider, modelId })

  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    ...smallestInput(models),
    get maxEmbeddingsPerCall() {
      return smallest(models.map((model) => model.maxEmbeddingsPerCall))
    },
    get supportsParallelCalls() {
      return Promise.all(models.map((model) => model.supportsParallelCalls)).then((all) => all.every(Boolean))
    },
    health: guard.health,
    auth: guard.auth,

    doEmbed: async (call) => {
      repeats.asked(call)
      const options = { ...settingsOf(call.providerOptions), abortSignal: call.abortSignal, input: call }
      try {
        return await guard.execute(async (attempt: Attempt<Link, EmbeddingModelV4CallOptions>) => {
          const { candidate, credential, input, abortSignal } = attempt
          const result = await candidate.modelFor(credential).doEmbed(asOwn({ ...input, abortSignal }))
          return { ...result, providerMetadata: withServed(result.providerMetadata, candidate, attempt.number) }
        }, options)
      } catch (error) {
        repeats.failed(call, error)
        throw error
      }
    },
  }
}

/** Versions 2 and 3 answer the same; they only say so differently, and version 2 may leave its warnings out. */
function adapt(model: AnyEmbeddingModel): EmbeddingModelV4 {
  if (model.specificationVersion === 'v4') return model
  const older = model as unknown as EmbeddingModelV4
  return standIn(older, (name) => {
    if (name === 'specificationVersion') return 'v4'
    const value: unknown = Reflect.get(older, name)
    // Private fields are found on the object itself only.
    return typeof value === 'function' ? value.bind(older) : value
  })
}

/** What no candidate limits has no limit. */
async function smallest(limits: readonly unknown[]): Promise<number | undefined> {
  const numbers = (await Promise.all(limits)).filter((limit) => typeof limit === 'number')
  return numbers.length === 0 ? undefined : Math.min(...numbers)
}

const MAX_INPUT_BYTES = Symbol.for('vercel.ai.embeddingModel.maxInputBytesPerCall')

/** The SDK's limit of bytes per batch, which it keeps outside the specification. */
function smallestInput(models: readonly EmbeddingModelV4[]): object {
  const limits = models.map((model) => (model as { readonly [MAX_INPUT_BYTES]?: unknown })[MAX_INPUT_BYTES])
  return limits.every((limit) => limit === undefined) ? {} : { [MAX_INPUT_BYTES]: smallest(limits) }
}
