import type { LanguageModelV4, LanguageModelV4Middleware } from '@ai-sdk/provider'
import { createHealth, type Guard, heed } from '../../heed.ts'
import { mustBeFunctions, mustBeOptions } from '../kit/must-be-options.ts'
import { type HeedModel, type HeedModelOptions, heedModel } from './language-model.ts'

/** What `heedMiddleware()` takes: the options of `heedModel()`, with what it may know of the model. */
export interface HeedMiddlewareOptions extends Omit<HeedModelOptions, 'candidates'> {
  /** Names the model in errors and events. @default `provider/modelId`, as the model names them */
  readonly id?: string | undefined
  /** Whose credentials the model uses. @default what its `provider` says before the first dot */
  readonly provider?: string | undefined
  /** Tokens that the model takes. @default not known */
  readonly contextWindow?: number | undefined
}

/** A middleware for `wrapLanguageModel`. */
export interface HeedMiddleware extends LanguageModelV4Middleware {
  /** What operators subscribe to, for all models that it wraps. */
  readonly health: Guard<never>['health']
  /** Where humans answer prompts. */
  readonly auth: Guard<never>['auth']
}

/**
 * heed for one model: repeats after `transient` with the producer's own wait as the floor, the pause for a human, the
 * rules for streams. Put it first in a list of middlewares: it repeats those after it. For a fallback use
 * {@link heedModel}, which may have models wrapped in this as candidates without multiplying attempts.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function heedMiddleware(options: HeedMiddlewareOptions = {}): HeedMiddleware {
  mustBeOptions(options, 'heedMiddleware', {
    instead: { candidates: 'it serves the one model that it wraps; for a chain make a model with heedModel' },
  })
  const { id, provider, contextWindow, reduce, ...rest } = options
  mustBeFunctions({ reduce }, 'heedMiddleware')
  const health = rest.health ?? createHealth({ clock: rest.clock })
  // Wrong options are refused here and not at the first call; prompts belong to the health, so this answers them all.
  const named = { id: id ?? 'model', provider: provider ?? 'model', contextWindow }
  const { auth } = heed({ ...rest, health, candidates: [named] })
  const chains = new WeakMap<LanguageModelV4, HeedModel>()
  const over = (model: LanguageModelV4): HeedModel => {
    let chain = chains.get(model)
    if (chain === undefined) {
      chain = heedModel({ ...rest, health, reduce, candidates: [{ model, id, provider, contextWindow }] })
      chains.set(model, chain)
    }
    return chain
  }
  return {
    specificationVersion: 'v4',
    health,
    auth,
    // Not through the given `doGenerate`: it is bound to the caller's signal, and an attempt has its own.
    wrapGenerate: ({ model, params }) => over(model).doGenerate(params),
    wrapStream: ({ model, params }) => over(model).doStream(params),
  }
}
