import type { RunnableInterface } from '@langchain/core/runnables'
import type { Candidate, Credential } from '../../core/candidate.ts'
import type { CredentialList, Credentials, ListedCredential } from '../kit/credential-list.ts'
import { hostOf } from '../kit/host-of.ts'
import { GIVE_A_FUNCTION, mustHaveNoCredentials } from '../kit/must-have-no-credentials.ts'
import { mustNotRetry } from './inner-retries.ts'

/** A chat model, or whatever else LangChain can run: a chain of prompt, model and parser, an agent. */
// biome-ignore lint/suspicious/noExplicitAny: inputs and outputs are the host's; heed looks at neither
export type AnyRunnable<I = any, O = any> = RunnableInterface<I, O>

/** A model with what heed may know of it; `L` is the list of its credentials. */
export type LangChainCandidate<R extends AnyRunnable = AnyRunnable, L = Credentials> = GivenModel<R> | MadeModel<R, L>

/** What a chain is made of. `Ls` is the lists of credentials, place by place. */
export type ModelList<Ls extends readonly unknown[]> = {
  readonly [P in keyof Ls]: AnyRunnable | LangChainCandidate<AnyRunnable, Ls[P]>
}

/** A model that is made already, with its key. */
export interface GivenModel<R extends AnyRunnable = AnyRunnable> extends ModelFields {
  /** The model, with `maxRetries: 0`. */
  readonly model: R
  /** None: the model sends its own key, whichever was listed here. */
  readonly credentials?: undefined
}

/** A model that is made for each attempt; give its `id` and its `provider`. */
export interface MadeModel<R extends AnyRunnable = AnyRunnable, L = Credentials> extends ModelFields {
  /**
   * A function that makes the model, with `maxRetries: 0`, of the credential to use. It is asked for every attempt: a
   * key that was renewed during a pause is picked up.
   */
  readonly model: (credential: ListedCredential<L>) => R | PromiseLike<R>
  /** Tried in order, two in a call. @default none: the function is called without one */
  readonly credentials?: CredentialList<L>
}

/** What heed may know of a model. */
export interface ModelFields extends Omit<Candidate, 'id' | 'provider' | 'credentials'> {
  /** Unique within the chain. @default `provider/model`, as the model names them; required beside a function */
  readonly id?: string | undefined
  /**
   * Whose credentials it uses.
   *
   * @default the host of the model's base URL where it has one of its own, else the provider that the model names;
   * required beside a function
   */
  readonly provider?: string | undefined
}

/** A candidate as heed's core has it. Without a model it is the one that the agent itself calls. */
export interface ChainLink extends Candidate {
  /** The model, or a function that makes it. @default the agent's own */
  readonly model?: LangChainCandidate['model']
}

/**
 * The chain that a list of models makes.
 *
 * @throws TypeError where an element is no model or retries by itself, naming its place and the fix.
 */
export function chainOf(given: readonly unknown[], name: string, list: string): readonly ChainLink[] {
  // What is no list is refused by heed itself, with the words that it has for it.
  if (!Array.isArray(given)) return given as never
  return given.map((each, at) => linkOf(each as AnyRunnable | LangChainCandidate, `${name}: ${list}[${at}]`))
}

function linkOf(given: AnyRunnable | LangChainCandidate, path: string): ChainLink {
  const candidate: LangChainCandidate = isRunnable(given) ? { model: given } : given
  const { model } = Object(candidate) as Partial<LangChainCandidate>
  if (typeof model === 'function' && !isRunnable(model)) {
    if (candidate.id !== undefined && candidate.provider !== undefined) return candidate as ChainLink
    throw new TypeError(`${path} makes its model when it is called; give its id and its provider`)
  }
  if (!isRunnable(model)) {
    throw new TypeError(`${path} is no model; give a chat model, another Runnable, or { model, id, provider, … }`)
  }
  mustHaveNoCredentials(candidate, path, GIVE_A_FUNCTION)
  mustNotRetry(model, path)
  return { ...describe(model), ...withoutUndefined(candidate) } as ChainLink
}

/**
 * The model that an attempt is to use; nothing where it is the agent's own.
 *
 * @throws TypeError where a function made one that retries by itself.
 */
export async function modelOf({
  candidate,
  credential,
}: {
  readonly candidate: ChainLink
  readonly credential: Credential | undefined
}): Promise<AnyRunnable | undefined> {
  const { id, model } = candidate
  if (typeof model !== 'function') return model
  const made = await model(credential)
  mustNotRetry(made, `heed: the model of ${id}`)
  return made
}

/** How a model that `initChatModel()` made of a name is asked for the one behind it; the second is LangChain 1.0 and 1.1's. */
export const MODEL_NAMED: readonly string[] = ['_getModelInstance', '_model']

/** The model behind one that is only a name, which an agent makes anew for each of its calls; else the model itself. */
export async function madeOf(model: unknown): Promise<unknown> {
  if (!('_queuedMethodOperations' in Object(model))) return model
  const name = MODEL_NAMED.find((each) => typeof (model as Fields)[each] === 'function')
  return name === undefined ? model : (model as Record<string, () => unknown>)[name]?.()
}

/** What a model says of itself: who it is, whose credentials it uses and how many tokens it takes. */
export function describe(model: unknown): Pick<Candidate, 'id' | 'provider' | 'contextWindow'> {
  const inner = innermost(model)
  const { ls_provider: named, ls_model_name: modelName } = lsParams(inner)
  const provider = ownHost(inner) ?? named ?? text(call(inner, 'getName')) ?? 'langchain'
  const id = modelName ?? text(inner['model']) ?? text(inner['modelName']) ?? text(call(inner, 'getName'))
  const { maxInputTokens } = Object(inner['profile']) as { readonly maxInputTokens?: unknown }
  return {
    id: id === undefined ? provider : `${provider}/${id}`,
    provider,
    ...(typeof maxInputTokens === 'number' && maxInputTokens > 0 ? { contextWindow: maxInputTokens } : undefined),
  }
}

/** Whether LangChain can run it. Never `instanceof`: copies of the package are common. */
export function isRunnable(value: unknown): value is AnyRunnable {
  return (Object(value) as { readonly lc_runnable?: unknown }).lc_runnable === true
}

type Fields = { readonly [name: string]: unknown }

/** What a model with options bound to it is a binding of. */
export function innermost(model: unknown): Fields {
  let inner = Object(model) as Fields
  for (let depth = 0; depth < 8 && isRunnable(inner['bound']); depth += 1) inner = inner['bound'] as unknown as Fields
  return inner
}

function lsParams(inner: Fields): { readonly ls_provider?: string; readonly ls_model_name?: string } {
  const { ls_provider: named, ls_model_name: model } = Object(call(inner, 'getLsParams', {})) as Fields
  const [provider, name] = [text(named), text(model)]
  return { ...(provider && { ls_provider: provider }), ...(name && { ls_model_name: name }) }
}

/** The host of a base URL that the user set: somebody else's server has credentials of its own. */
function ownHost(inner: Fields): string | undefined {
  const places = [inner['clientConfig'], inner['clientOptions'], inner].map((place) => Object(place) as Fields)
  for (const { baseURL, baseUrl, apiUrl } of places) {
    const host = hostOf(text(baseURL) ?? text(baseUrl) ?? text(apiUrl))
    if (host !== undefined) return host
  }
  return undefined
}

function call(inner: Fields, method: string, ...args: readonly unknown[]): unknown {
  try {
    const found = inner[method]
    return typeof found === 'function' ? found.call(inner, ...args) : undefined
  } catch {
    return undefined
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function withoutUndefined<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>
}
