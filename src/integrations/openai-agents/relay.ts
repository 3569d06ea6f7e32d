import type { StreamEvent } from '@openai/agents-core'
import type { Producer } from '../../core/producer.ts'
import { isObject } from '../kit/is-object.ts'
import { isContent } from './agents-producer.ts'
import type { ModelAttempt } from './candidates.ts'
import type { RetryAdvice } from './retry-advice.ts'

/**
 * Hands a model's events on as they come. `response_done` is held back where the raw events had no end, and where it is
 * empty and all there was: the Chat Completions model makes one of whatever has come when a stream is cut, and neither
 * half an answer nor none must pass for a whole.
 */
export async function* relay(
  source: AsyncIterable<StreamEvent>,
  attempt: ModelAttempt,
  base: Producer,
  advice: RetryAdvice,
): AsyncGenerator<StreamEvent, void, undefined> {
  let ended: boolean | undefined
  let begun = false
  let committed = false
  try {
    for await (const event of source) {
      // What is no event has nothing to read, and is the host's to stumble over.
      if (!isObject(event)) {
        yield event
        continue
      }
      if (event.type === 'model') ended = ended === true || (saysEnd(base, event.event) ?? ended)
      committed ||= saysContent(base, event)
      const mayBeCut = ended === false || !(begun || committed)
      begun = true
      if (event.type !== 'response_done' || !isObject(event.response)) yield event
      else if (mayBeCut && saysEnd(base, event.providerData) !== true) return
      else yield { ...event, response: servedBy(event.response, attempt) }
    }
  } catch (error) {
    if (committed) advice.committed(error)
    throw error
  }
}

/** Whether an event commits; one of which nobody can say it does, as in heed itself. */
function saysContent(base: Producer, event: StreamEvent): boolean {
  try {
    return isContent(event, base)
  } catch {
    return true
  }
}

/** Whether a raw event says that the answer is complete. A producer of the user's that throws says nothing. */
function saysEnd(base: Producer, event: unknown): boolean | undefined {
  try {
    return base.isEnd?.(event)
  } catch {
    return undefined
  }
}

/** The response, with who served it beside what the provider said of it. */
export function servedBy<R extends { providerData?: Record<string, unknown> | undefined }>(
  response: R,
  { candidate, number }: ModelAttempt,
): R {
  return {
    ...response,
    providerData: { ...response.providerData, heed: { candidate: candidate.id, attempts: number } },
  }
}
