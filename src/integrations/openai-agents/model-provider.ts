import type { Model, ModelProvider } from '@openai/agents-core'
import type { Candidate } from '../../core/candidate.ts'
import type { Health } from '../../health/health.ts'
import type { Auth } from '../../heed.ts'
import { isObject } from '../kit/is-object.ts'
import { mustBeOptions } from '../kit/must-be-options.ts'
import { mustHaveNoCredentials } from '../kit/must-have-no-credentials.ts'
import type { ModelCandidate } from './candidates.ts'
import { type HeedModel, type HeedModelOptions, heedModel } from './model.ts'

/** One provider of the chain, with what heed is to know of it. Fields of your own are kept. */
export interface ModelProviderCandidate extends Partial<Omit<Candidate, 'credentials'>> {
  /** The provider, asked for its model in every attempt. */
  readonly modelProvider: ModelProvider
  /** The model to ask of it, whatever the agent asks for. @default the agent's */
  readonly modelName?: string | undefined
  /** Names the candidate in errors and events. @default `<provider>/<model's name, or default>` */
  readonly id?: string
  /**
   * Whose credentials it uses: authorization is blocked and resolved per provider. @default `provider-<position>`
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
  const providers = Array.isArray(given) ? given.map(described) : undefined
  const make = (name: string | undefined, shared: Pick<HeedModelOptions, 'health'>): HeedModel =>
    // What is no list is refused by heed, as every other option is.
    heedModel({ ...rest, ...shared, candidates: providers?.map((each) => candidateOf(each, name)) ?? (given as []) })
  const first = make(undefined, {})
  const chains = new Map<string | undefined, HeedModel>([[undefined, first]])
  const models = new Map<string | undefined, Promise<HeedModel>>()
  const prepare = async (name: string | undefined): Promise<HeedModel> => {
    const model = chains.get(name) ?? make(name, { health: first.health })
    chains.set(name, model)
    // The runner reads it of the model, before any attempt; a provider that has no model now fails in its attempt.
    const asked = await Promise.allSettled((providers ?? []).map(async (each) => modelFrom(each, name)))
    // What one that had none would have said is a guess: it is asked again with the next request for the model.
    if (asked.some(({ status }) => status === 'rejected')) models.delete(name)
    const supportsPromptModelSelection = asked.every(
      (each) => each.status === 'rejected' || each.value.supportsPromptModelSelection === true,
    )
    return { ...model, supportsPromptModelSelection }
  }
  return {
    health: first.health,
    auth: first.auth,
    getModel: (name) => {
      const known = models.get(name) ?? prepare(name)
      models.set(name, known)
      return known
    },
  }
}

type Described = ModelProviderCandidate & { readonly provider: string }

function described(given: ModelProvider | ModelProviderCandidate, place: number): Described {
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
  return { ...candidate, provider: candidate.provider ?? `provider-${place + 1}` }
}

function isProvider(value: unknown): value is ModelProvider {
  return isObject(value) && typeof value['getModel'] === 'function'
}

function candidateOf(described: Described, name: string | undefined): ModelCandidate {
  const { modelProvider: _, modelName, id, provider, ...fields } = described
  return {
    ...fields,
    provider,
    id: id ?? `${provider}/${modelName ?? name ?? 'default'}`,
    model: () => modelFrom(described, name),
  }
}

function modelFrom({ modelProvider, modelName }: Described, name: string | undefined): Model | PromiseLike<Model> {
  return modelProvider.getModel(modelName ?? name)
}
