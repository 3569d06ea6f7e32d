import type { Candidate } from '../../core/candidate.ts'
import { mustBeObject } from '../../core/must-be-known.ts'
import { mustHaveNoCredentials } from '../kit/must-have-no-credentials.ts'
import { ofFrames } from './frames-producer.ts'

/** The client, asked for the model that a request names or for another. */
export interface MiddlewareCandidate extends Omit<Candidate, 'id' | 'provider' | 'credentials'> {
  /** The model to ask for. @default the request's */
  readonly model?: string | undefined
  /**
   * Names the candidate in errors and events, and what is remembered of it. Where it has no model the one that a request
   * asks for is added, for limits are by the model.
   * @default the provider and the model, as in `anthropic/claude-opus`; the provider alone for what has no model
   */
  readonly id?: string | undefined
  /** Whose credentials it uses: those of the client, so all candidates share it. @default 'anthropic' */
  readonly provider?: string | undefined
}

/** A candidate of the middleware as heed takes it. */
export type NamedCandidate = MiddlewareCandidate & Candidate

/**
 * The candidate with the names that it had not been given.
 *
 * @throws TypeError where it is none, or lists credentials that nobody would use.
 */
export function withNames(candidate: MiddlewareCandidate, place: number): NamedCandidate {
  const path = `heed: candidates[${place}]`
  mustBeObject(candidate, path, 'with model, id or provider, or {} for the model that is asked for')
  mustHaveNoCredentials(candidate, path, 'the client sends its own key; heedAnthropic rotates keys')
  const { model, provider = 'anthropic', id = model === undefined ? provider : `${provider}/${model}` } = candidate
  const { producer } = candidate
  return { ...candidate, id, provider, ...(producer === undefined ? undefined : { producer: ofFrames(producer) }) }
}

/**
 * Who serves a request that has no model: the client, once. No other model could take it over, and none that is limited
 * stands in its way.
 */
export function clientItself(chain: readonly NamedCandidate[]): NamedCandidate {
  const open = chain.find(({ model }) => model === undefined)
  if (open !== undefined) return open
  const { provider, producer } = chain[0] as NamedCandidate
  return { id: provider, provider, producer }
}
