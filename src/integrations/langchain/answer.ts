import type { RunnableConfig } from '@langchain/core/runnables'
import type { Candidate } from '../../core/candidate.ts'
import type { Guard } from '../../heed.ts'
import type { Attempt, CallOptions } from '../../options.ts'
import { emissionsOf, isContent, isEnd } from './emissions.ts'
import { sayServed } from './served.ts'

/** Asks one candidate: `added` is to be merged into the config that it is run with. */
export type Ask<C, I, T> = (attempt: Attempt<C, I>, added: Partial<RunnableConfig>) => Promise<T>

/**
 * Runs a call whose answer comes as a whole while its tokens are emitted: to heed it is a stream, so that the first
 * token that somebody may have seen commits, and an answer that was broken off is none.
 */
export async function answerOf<C extends Candidate, I, T>(
  guard: Guard<C>,
  ask: Ask<C, I, T>,
  options: CallOptions<C, I>,
): Promise<T> {
  const stream = guard.stream(
    (attempt: Attempt<C, I>) =>
      emissionsOf(async (callbacks) => ask(attempt, { callbacks, ...signalOf(attempt, options.abortSignal) })),
    { ...options, isContent, isEnd },
  )
  let answer: { readonly value: T } | undefined
  for await (const item of stream) if ('result' in item) answer = { value: item.result }
  // A stream without its result has thrown.
  const { value } = answer as { readonly value: T }
  sayServed(value, await stream.opened)
  return value
}

/** The attempt's own signal, where it is another than the one that the host hands to the model anyway. */
export function signalOf(
  attempt: Attempt<Candidate, unknown>,
  host: AbortSignal | undefined,
): { signal?: AbortSignal } {
  const { abortSignal } = attempt
  return abortSignal === host ? {} : { signal: abortSignal }
}
