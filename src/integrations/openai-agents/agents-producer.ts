import type { StreamEvent } from '@openai/agents-core'
import type { Classification } from '../../core/classification.ts'
import type { Producer } from '../../core/producer.ts'
import { isObject } from '../kit/is-object.ts'

/** A producer for the SDK's items, with the provider's own that it is made of. */
export interface AgentsProducer extends Producer {
  /** Reads the provider's own answers and events. */
  readonly base: Producer
}

/**
 * A provider's producer, for what the Agents SDK makes of that provider's answers: it unwraps the raw answers and events
 * that the SDK hands along, and reads the SDK's own mark of a request that must not be sent again.
 */
export function agentsProducer(base: Producer): AgentsProducer {
  return {
    base,
    classify: (raw, env) => withReplayMark(raw, base.classify(raw, env)),
    inspect: (value, env) => {
      const answer = rawAnswerOf(value)
      return answer === undefined ? undefined : base.inspect?.(answer, env)
    },
    isContent: (event) => isContent(event as StreamEvent, base),
    isEnd,
  }
}

/**
 * `unsafeToReplay` is how the SDK's models say that the provider has worked on the request and charged for it (a
 * response that failed or was cut off), or may have (a lost web socket): `getOpenAIRetryAdvice` reads the same.
 */
function withReplayMark(raw: unknown, told: Classification | undefined): Classification | undefined {
  if (!isObject(raw) || raw['unsafeToReplay'] !== true) return told
  return { class: undefined, ...told, ambiguous: true }
}

/** The provider's own answer in a whole response, or its own event in a stream's. */
function rawAnswerOf(value: unknown): unknown {
  if (!isObject(value)) return undefined
  if (value['type'] === 'model') return value['event']
  return Array.isArray(value['output']) ? value['providerData'] : undefined
}

/**
 * Text is, and so is a raw event with a part of the answer: reasoning and tool calls are told by those alone. A raw
 * event that nobody can read is none, nor are the announcements: nothing has been handed over while they are held.
 */
export function isContent(event: StreamEvent, base: Producer): boolean {
  if (event.type === 'output_text_delta') return event.delta !== ''
  if (event.type === 'model') return base.isContent?.(event.event) === true
  return event.type === 'response_done' && event.response.output.length > 0
}

/** The SDK's own word for a whole answer. */
export function isEnd(event: unknown): boolean {
  return isObject(event) && event['type'] === 'response_done'
}
