import type { Candidate, Credential } from '../../core/candidate.ts'
import type { Producer } from '../../core/producer.ts'
import { aiSdk } from '../../producers/ai-sdk.ts'
import type { CredentialList, Credentials, ListedCredential } from '../kit/credential-list.ts'
import { GIVE_A_FUNCTION, mustHaveNoCredentials } from '../kit/must-have-no-credentials.ts'

/** What every model of the SDK says of itself. */
export interface NamedModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
}

/** A model with what heed may know of it; `L` is the list of its credentials. */
export type ModelCandidate<M, L = Credentials> = GivenModel<M> | MadeModel<M, L>

/**
 * What a chain is made of: each place a model, alone or with what heed may know of it. `Ls` is the lists of credentials,
 * place by place, so that each function is told of credentials as its own candidate lists them.
 */
export type ModelList<M, Ls extends readonly unknown[]> = {
  readonly [P in keyof Ls]: M | ModelCandidate<M, Ls[P]>
}

/** A model that is made already, with its key. */
export interface GivenModel<M> extends ModelFields {
  /** The model. */
  readonly model: M
  /** None: the model sends its own key, whichever was listed here. */
  readonly credentials?: undefined
}

/** A model that is made for each attempt. */
export interface MadeModel<M, L = Credentials> extends ModelFields {
  /**
   * A function that makes the model of the credential to use. It is called once when the chain is made, with the first
   * credential, and then for every attempt: a key that was renewed during a pause is picked up.
   */
  readonly model: (credential: ListedCredential<L>) => M
  /** Tried in order, two in a call. @default none: the function is called without one */
  readonly credentials?: CredentialList<L>
}

/** What heed may know of a model. */
export interface ModelFields extends Omit<Candidate, 'id' | 'provider' | 'credentials'> {
  /** Unique within the chain. @default `provider/modelId`, as the model names them */
  readonly id?: string | undefined
  /**
   * Whose credentials it uses. Give it where two accounts, or two hosts behind one SDK provider, are in the chain.
   * @default what the model's `provider` says before its first dot: `openai.chat` and `openai.responses` share a key
   */
  readonly provider?: string | undefined
}

/** A candidate as heed's core has it, with how to get its model. */
export interface ChainLink<M> extends Candidate {
  /** Answers the model of an attempt: made anew where the candidate's `model` is a function. */
  readonly modelFor: (credential: Credential | undefined) => M
  /** The model as it was when the chain was made: what the chain says of itself is read there. */
  readonly shown: M
}

/** What a list of candidates is refused for. */
export interface ChainNeeds<M, V> {
  /** For messages: `heedModel`. */
  readonly name: string
  /** The method that such a model has. */
  readonly method: string
  /** The producer of candidates that have none of their own. */
  readonly producer: Producer | undefined
  readonly adapt: (model: M) => V
}

const VERSIONS: ReadonlySet<unknown> = new Set(['v2', 'v3', 'v4'])

/**
 * The chain that a list of models makes.
 *
 * @throws TypeError where an element is no model, naming its place and the fix.
 */
export function chainOf<M extends NamedModel, V>(
  given: readonly unknown[],
  needs: ChainNeeds<M, V>,
): readonly ChainLink<V>[] {
  // What is no list is refused by heed itself, with the words that it has for it.
  if (!Array.isArray(given)) return given as never
  // Which function belongs to which credentials is the user's to know: here each gets those of its own candidate.
  return given.map((each, at) => linkOf(each as M | ModelCandidate<M>, `candidates[${at}]`, needs))
}

function linkOf<M extends NamedModel, V>(
  given: M | ModelCandidate<M>,
  path: string,
  needs: ChainNeeds<M, V>,
): ChainLink<V> {
  const { model, ...rest } = isWrapped(given) ? given : { model: given }
  const make = typeof model === 'function' ? (model as (credential: Credential | undefined) => M) : undefined
  if (make === undefined) mustHaveNoCredentials(rest, `${needs.name}: ${path}`, GIVE_A_FUNCTION)
  const checked = (made: M): M => mustBeModel(made, path, needs)
  const first = checked(make === undefined ? (model as M) : make(rest.credentials?.[0]))
  const shown = needs.adapt(first)
  return {
    ...rest,
    id: rest.id ?? `${first.provider}/${first.modelId}`,
    provider: rest.provider ?? (first.provider.split('.')[0] as string),
    producer: readingParts(rest.producer ?? needs.producer),
    shown,
    modelFor: make === undefined ? () => shown : (credential) => needs.adapt(checked(make(credential))),
  }
}

function isWrapped<M>(given: M | ModelCandidate<M>): given is ModelCandidate<M> {
  return typeof given === 'object' && given !== null && 'model' in given && !('specificationVersion' in given)
}

function mustBeModel<M extends NamedModel>(
  model: M,
  path: string,
  { name, method }: Pick<ChainNeeds<M, unknown>, 'name' | 'method'>,
): M {
  if (typeof model === 'string') {
    const gateway = method === 'doEmbed' ? 'gateway.embeddingModel' : 'gateway'
    throw new TypeError(
      `${name}: ${path} is the id of a model; give the model: ${gateway}('${model}'), with gateway from 'ai', or a provider's own`,
    )
  }
  const { specificationVersion, [method]: call } = Object(model) as Record<string, unknown>
  if (typeof call !== 'function') {
    throw new TypeError(`${name}: ${path} is no such model; give one that a provider of the AI SDK makes`)
  }
  if (!VERSIONS.has(specificationVersion)) {
    throw new TypeError(
      `${name}: ${path} is a model of specification ${String(specificationVersion)}; give one of v2, v3 or v4`,
    )
  }
  return model
}

/** The parts of a stream are the SDK's own, whoever reads what failed. */
function readingParts(own: Producer | undefined): Producer {
  // What is no producer is refused by heed itself.
  if (own === undefined || own === aiSdk || typeof own.classify !== 'function') return own ?? aiSdk
  return {
    classify: (raw, env) => own.classify(raw, env),
    inspect: (value, env) => {
      const found = own.inspect?.(value, env) ?? aiSdk.inspect(value, env)
      if (found === undefined) return undefined
      const { type, error } = Object(value) as { readonly type?: unknown; readonly error?: unknown }
      return type === 'error' ? (own.classify(error, env) ?? { class: undefined }) : found
    },
    isContent: (item) => aiSdk.isContent?.(item),
    isEnd: (item) => aiSdk.isEnd?.(item),
  }
}
