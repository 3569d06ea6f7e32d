import type { Model, ModelRequest } from '@openai/agents-core'
import type { Candidate } from '../../core/candidate.ts'
import type { Producer } from '../../core/producer.ts'
import type { Attempt } from '../../options.ts'
import type { CredentialList, Credentials, ListedCredential } from '../kit/credential-list.ts'
import { hostOf } from '../kit/host-of.ts'
import { isObject } from '../kit/is-object.ts'
import { GIVE_A_FUNCTION, mustHaveNoCredentials } from '../kit/must-have-no-credentials.ts'
import type { AgentsProducer } from './agents-producer.ts'

/** What a function in the place of a model is told; `L` is the list of its candidate's credentials. */
export interface ModelAttempt<L = Credentials> extends Omit<Attempt<NamedCandidate, ModelRequest>, 'credential'> {
  /** The candidate's credential to use, as it was listed. */
  readonly credential: ListedCredential<L>
}

/** One model of the chain, with what heed is to know of it; `L` is the list of its credentials. Fields of your own are kept. */
export type ModelCandidate<L = Credentials> = GivenModel | MadeModel<L>

/** What a chain is made of. `Ls` is the lists of credentials, place by place. */
export type ModelList<Ls extends readonly unknown[]> = { readonly [P in keyof Ls]: Model | ModelCandidate<Ls[P]> }

/** A model that is made already, with its key. */
export interface GivenModel extends ModelFields {
  /** The model. */
  readonly model: Model
  /** None: the model sends its own key, whichever was listed here. */
  readonly credentials?: undefined
}

/** A model that is made for each attempt. */
export interface MadeModel<L = Credentials> extends ModelFields {
  /**
   * Answers the model of an attempt, where it depends on `attempt.credential` or on a token that may have been renewed.
   */
  readonly model: (attempt: ModelAttempt<L>) => Model | PromiseLike<Model>
  /** Tried in order, two in a call. @default none: `attempt.credential` is absent */
  readonly credentials?: CredentialList<L>
}

/** What heed is to know of a model. */
export interface ModelFields extends Partial<Omit<Candidate, 'credentials'>> {
  /**
   * Names the candidate in errors and events. @default `<provider>/<model's name>` where the model says both, as those
   * of the Responses API do, else (those of Chat Completions show neither) `model-<position>`; needed there where the
   * chain shares a `health` with others
   */
  readonly id?: string
  /**
   * Whose credentials it uses: authorization is blocked and resolved for all of a provider's candidates together.
   * @default the host of its client's base URL where the model shows it, else its own id, so that it is one by itself
   */
  readonly provider?: string
}

/** A candidate as heed takes it. */
export type NamedCandidate = Omit<ModelCandidate, 'producer'> &
  Candidate & { readonly producer?: AgentsProducer | undefined }

/**
 * The candidates with their names and producers filled in.
 *
 * @param isShared - Whether other chains may have the same health: a name by place would be of several models there.
 * @throws TypeError where one is no model and has none, or has no name that others could know it by.
 */
export function namedCandidates(
  given: readonly unknown[],
  read: (producer: Producer) => AgentsProducer,
  isShared: boolean,
): readonly NamedCandidate[] {
  // What is no list is refused by heed, as every other option is.
  if (!Array.isArray(given)) return given as readonly NamedCandidate[]
  return given.map((each, place) => {
    const candidate = isModel(each) ? { model: each } : (each as ModelCandidate)
    const { model, producer, ...described } = candidate ?? {}
    if (!isModel(model) && typeof model !== 'function') {
      throw new TypeError(
        `heed: candidates[${place}]: give a Model of the Agents SDK, or an object with one as "model"`,
      )
    }
    if (typeof model !== 'function') mustHaveNoCredentials(described, `heed: candidates[${place}]`, GIVE_A_FUNCTION)
    const shown = typeof model === 'function' ? {} : shownBy(model)
    const byPlace = `model-${place + 1}`
    const id = described.id ?? shown.id ?? byPlace
    if (isShared && id === byPlace && described.id === undefined) {
      throw new TypeError(
        `heed: candidates[${place}]: give an id and a provider: the model does not show its name, and ${byPlace} would be another's in every other chain that shares the health`,
      )
    }
    return {
      ...described,
      model,
      id,
      provider: described.provider ?? shown.provider ?? id,
      // One that is none goes to heed as it is, to be refused by its path.
      producer: typeof producer?.classify === 'function' ? read(producer) : (producer as AgentsProducer | undefined),
    }
  })
}

function isModel(value: unknown): value is Model {
  return isObject(value) && typeof value['getResponse'] === 'function'
}

/**
 * Names that a model shows of itself: those of the Responses API do, though not as part of their interface. Those of Chat
 * Completions keep client and name in private fields.
 */
function shownBy(model: Model): { readonly id?: string; readonly provider?: string } {
  const { _client: client, _model: name } = model as unknown as Readonly<Record<string, unknown>>
  const provider = hostOf(isObject(client) ? client['baseURL'] : undefined)
  if (provider === undefined) return {}
  return typeof name === 'string' ? { provider, id: `${provider}/${name}` } : { provider }
}
