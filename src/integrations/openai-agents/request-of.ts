import type { ModelRequest } from '@openai/agents-core'
import type { ModelAttempt } from './candidates.ts'

/** The part of a request that the SDK's runner and models keep between themselves. */
type Marked = { readonly _internal?: object }

const MARK = 'runnerManagedRetry'

/**
 * The request of one attempt: the caller's, ended by the attempt's own signal, and marked as one whose repeats another
 * layer sees to, which the SDK's models answer with `maxRetries: 0`. The mark is set in place: it is under this very
 * object that the runner counts the tokens of failed attempts, and it makes a new one for each call. One that takes no
 * mark (frozen, by another wrapper) is copied: repeats that nobody counts are worse than tokens that nobody does.
 */
export function requestOf({ input, abortSignal }: ModelAttempt): ModelRequest {
  const given = (input as Marked)._internal ?? {}
  const marked = Reflect.set(given, MARK, true) ? given : { ...given, [MARK]: true }
  const request: ModelRequest & Marked = { ...input, signal: abortSignal, _internal: marked }
  return request
}
