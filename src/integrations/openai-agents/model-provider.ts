import type { Model, ModelProvider } from '@openai/agents-core'
import type { Candidate } from '../../core/candidate.ts'
import type { Health } from '../../health/health.ts'
import type { Auth } from '../../heed.ts'
import { chainForModel } from '../kit/chain-for-model.ts'
import { isObject } from '../kit/is-object.ts'
import { mustBeOptions } from '../kit/must-be-options.ts'
import { mustHaveNoCredentials } from '../kit/must-have-no-credentials.ts'
import { Recent } from '../kit/recent.ts'
import type { ModelCandidate } from './candidates.ts'
import { type HeedModel, type HeedModelOptions, heedModel } from './model.ts'

/** One provider of the chain, with what heed is to know of it. Fields of your own are kept. */
export interface ModelProviderCandidate extends Partial<Omit<Candidate, 'credentials'>> {
  /** The provider, asked for its model in every attempt. */
  readonly modelProvider: ModelProvider
  /** The model to ask of it, whatever the agent asks for. @default the agent's */
  readonly modelName?: string | undefined
  /**
   * Names the candidate in errors and events, and what is remembered of it. Where it has no `modelName` the one that is
   * asked for, or `default`, is added, for limits are by the model: `azure` asked for `gpt-5` is `azure/gpt-5`.
   * @default the provider, and `modelName` where there is one
   */
  readonly id?: string
  /**
   * Whose credentials it uses: authorization is blocked and resolved per provider.
   * @default `provider-<position>`; needed where the chain shares a `health` with others
   */
  readonly provider?: string
}

/** What {@link heedModelProvider} takes: as {@link HeedModelOptions}, of providers. */
export interface HeedModelProviderOptions extends Omit<HeedModelOptions, 'candidates'> {
  /** The providers, in order of preference; an object where heed is to know more of one. At least one. */
  readonly candidates: readonly (ModelProvider | ModelProviderCandidate)[]
}

/** A provider of models that go by the classes of failures; all of them share one health. */
export interface HeedModelProvider extends ModelProvider {
  /** The chain for a model's name; the same one for the same name. @default each provider's own model */
  getModel(modelName?: string): Promise<HeedModel>
  /** What operators subscribe to, and what calls share. */
  readonly health: Health
  /** Where humans answer prompts. */
  readonly auth: Auth
}

/**
 * Makes a model provider of several: give it to a `Runner` as `modelProvider`. Each provider is asked for its model
 * anew in every attempt, so that one which reads its token there reads the renewed one; what it throws then is a failure
 * of that attempt.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function heedModelProvider(options: HeedModelProviderOptions): HeedModelProvider {
  mustBeOptions(options, 'heedModelProvider', { needs: 'candidates' })
  const { candidates: given, ...rest } = options
  const isShared = rest.health !== undefined
  const providers = Array.isArray(given) ? given.map((each, place) => described(each, place, isShared)) : undefined
  const make = (name: string | undefined, shared: Pick<HeedModelOptions, 'health'>): HeedModel => {
    const chain = providers && chainForModel(providers, name ?? 'default', isSameProvider)
    // What is no list is refused by heed, as every other option is.
    return heedModel({ ...rest, ...shared, candidates: chain?.map((each) => candidateOf(each, name)) ?? (given as []) })
  }
  const first = make(undefined, {})
  const chains = new Recent<string, HeedModel>()
  const models = new Recent<string | undefined, Promise<HeedModel>>()
  const prepare = async (name: string | undefined): Promise<HeedModel> => {
    const model = name === undefined ? first : chains.of(name, () => make(name, { health: first.health }))
    // The runner reads it of the model, before any attempt; a provider that has no model now fails in its attempt.
    const asked = await Promise.allSettled((providers ?? []).map(async (each) => modelFrom(each, name)))
    // What one that had none would have said is a guess: it is asked again with the next request for the model.
    if (asked.some(({ status }) => status === 'rejected')) models.forget(name)
    const supportsPromptModelSelection = asked.every(
      (each) => each.status === 'rejected' || each.value.supportsPromptModelSelection === true,
    )
    return { ...model, supportsPromptModelSelection }
  }
  return {
    health: first.health,
    auth: first.auth,
    getModel: (name) => models.of(name, () => prepare(name)),
  }
}

type Described = ModelProviderCandidate & {
  readonly id: string
  readonly provider: string
  readonly model?: string | undefined
}

const isSameProvider = (fixed: Described, open: Described): boolean =>
  fixed.modelProvider === open.modelProvider && fixed.provider === open.provider

function described(given: ModelProvider | ModelProviderCandidate, place: number, isShared: boolean): Described {
  const candidate: ModelProviderCandidate = isProvider(given) ? { modelProvider: given } : given
  if (!isProvider(candidate?.modelProvider)) {
    throw new TypeError(
      `heed: candidates[${place}]: give a ModelProvider of the Agents SDK, or an object with one as "modelProvider"`,
    )
  }
  mustHaveNoCredentials(
    candidate,
    `heed: candidates[${place}]`,
    'a ModelProvider has its own key; give each key a candidate with a ModelProvider and a provider of its own',
  )
  const byPlace = `provider-${place + 1}`
  if (isShared && candidate.provider === undefined) {
    throw new TypeError(
      `heed: candidates[${place}]: give a provider: without one it is ${byPlace}, as it would be in every other chain that shares the health`,
    )
  }
  const {
    modelName: model,
    provider = byPlace,
    id = model === undefined ? provider : `${provider}/${model}`,
  } = candidate
  return { ...candidate, provider, id, model }
}

function isProvider(value: unknown): value is ModelProvider {
  return isObject(value) && typeof value['getModel'] === 'function'
}

function candidateOf(described: Described, name: string | undefined): ModelCandidate {
  const { modelProvider: _, modelName: __, ...fields } = described
  return { ...fields, model: () => modelFrom(described, name) }
}

function modelFrom({ modelProvider, modelName }: Described, name: string | undefined): Model | PromiseLike<Model> {
  return modelProvider.getModel(modelName ?? name)
}
