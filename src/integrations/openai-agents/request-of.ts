import type { ModelRequest } from '@openai/agents-core'
import type { ModelAttempt } from './candidates.ts'

/** The part of a request that the SDK's runner and models keep between themselves. */
type Marked = { readonly _internal?: object }

/**
 * The request of one attempt: the caller's, ended by the attempt's own signal, and marked as one whose repeats another
 * layer sees to, which the SDK's models answer with `maxRetries: 0`. The mark is set in place: it is under this very
 * object that the runner counts the tokens of failed attempts, and it makes a new one for each call.
 */
export function requestOf({ input, abortSignal }: ModelAttempt): ModelRequest {
  const { _internal = {} } = input as Marked
  Reflect.set(_internal, 'runnerManagedRetry', true)
  const request: ModelRequest & Marked = { ...input, signal: abortSignal, _internal }
  return request
}
