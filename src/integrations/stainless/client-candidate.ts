import type { Candidate } from '../../core/candidate.ts'
import { hiding } from '../kit/hiding.ts'
import { hostOf } from '../kit/host-of.ts'

/**
 * What heed uses of a client of one of these SDKs. Told by its shape, for several copies of a package may be about, and
 * cloud editions and instrumented clients are no subclasses of the client.
 */
export interface SdkClient {
  /** Whose server it asks: its host names the provider where you do not. */
  readonly baseURL: string
  /** Answers a client like this one with other options. */
  withOptions(options: { apiKey?: string }): unknown
}

/** One endpoint of a client, whatever its overloads. */
export interface SdkEndpoint {
  /** Sends a request, with the SDK's own options. */
  create(body: never, options: never): PromiseLike<unknown>
}

/** A key of the candidate's provider. Only the id is ever reported. */
export interface ClientCredential {
  /** Names the key in events and outcomes. */
  readonly id: string
  /** The key, read for each attempt: it may be renewed in place. */
  readonly apiKey: string
}

/** A client of the SDK as a candidate, with the model that it is to ask for. */
export interface ClientCandidate<C extends SdkClient> extends Omit<Candidate, 'id' | 'provider' | 'credentials'> {
  /** Whom to ask. Its own retries are switched off for every request. */
  readonly client: C
  /** The model to ask for, whatever the body says. @default the body's, for chains of one model at several hosts */
  readonly model?: string | undefined
  /**
   * Names the candidate in errors and events, and what is remembered of it. Where it has no model the one that a body asks
   * for is added, for limits are by the model: `azure` asked for `gpt-5` is `azure/gpt-5`.
   * @default the provider and the model, as in `openai/gpt-5`
   */
  readonly id?: string | undefined
  /**
   * Whose credentials it uses: authorization is blocked and resolved per provider.
   * @default the host of the client's `baseURL`; `openai` or `anthropic` for that of the SDK's own company
   */
  readonly provider?: string | undefined
  /** Keys to be used in the place of the client's own, in order. @default none: the client has its key */
  readonly credentials?: readonly ClientCredential[] | undefined
}

/** A candidate with the names that it had not been given. Its client and credentials are not printed: they hold keys. */
export type Named<C extends SdkClient> = ClientCandidate<C> & { readonly id: string; readonly provider: string }

/** The company whose SDK it is. */
export interface Home {
  readonly host: string
  readonly provider: string
  /** How a client is made. */
  readonly make: string
}

/**
 * Names each candidate that has no name of its own.
 *
 * @throws TypeError where a candidate has no client of the SDK.
 */
export function named<C extends SdkClient>(candidates: readonly ClientCandidate<C>[], home: Home): readonly Named<C>[] {
  // What is no list is refused by heed itself, in its own words.
  if (!Array.isArray(candidates)) return candidates as never
  return candidates.map((candidate: ClientCandidate<C>, at) => {
    const client: Partial<SdkClient> | undefined = candidate?.client
    if (typeof client?.withOptions !== 'function' || typeof client.baseURL !== 'string') {
      throw new TypeError(`heed: candidates[${at}].client: give a client of the SDK, ${home.make}`)
    }
    const provider = candidate.provider ?? providerAt(client.baseURL, home)
    const id = candidate.id ?? (candidate.model === undefined ? provider : `${provider}/${candidate.model}`)
    return hiding({ ...candidate, id, provider }, 'client', 'credentials')
  })
}

/** Whether two candidates ask the same server with the same key. */
export function isSameClient<C extends SdkClient>(a: Named<C>, b: Named<C>): boolean {
  return a.client === b.client && a.credentials === b.credentials && a.provider === b.provider
}

function providerAt(baseUrl: string, home: Home): string {
  const host = hostOf(baseUrl) ?? baseUrl
  return host === home.host ? home.provider : host
}

/** A client with a key, and the key that it was made with. */
interface Keyed {
  readonly apiKey: string
  readonly client: SdkClient
}

const withKeys = new WeakMap<ClientCredential, WeakMap<SdkClient, Keyed>>()

/**
 * The candidate's client, with the credential of this attempt where it has any. The key is read for each attempt: it may
 * have been renewed while the call was paused.
 */
export function clientFor<C extends SdkClient>(client: C, credential: ClientCredential | undefined): C {
  if (credential === undefined) return client
  const { apiKey } = credential
  const made = withKeys.get(credential) ?? new WeakMap<SdkClient, Keyed>()
  withKeys.set(credential, made)
  let keyed = made.get(client)
  if (keyed?.apiKey !== apiKey) {
    keyed = { apiKey, client: client.withOptions({ apiKey }) as C }
    made.set(client, keyed)
  }
  return keyed?.client as C
}
