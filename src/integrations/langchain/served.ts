import type { Candidate } from '../../core/candidate.ts'
import type { Served } from '../../options.ts'
import { isObject } from '../kit/is-object.ts'

/** What stands under `response_metadata.heed` of a message that a chain answers; of a stream's first chunk. */
export interface HeedMetadata {
  /** Id of the candidate that served. */
  readonly candidate: string
  /** Its provider, as the chain names it. */
  readonly provider: string
  /** Attempts that the call took; the last one served. */
  readonly attempts: number
  /** The same of a heed below, where the candidate is one. */
  readonly below?: object
}

/**
 * Writes who served into the message that a model answered, or that the answer of an agent's model holds; other answers
 * (a text that a chain parsed) have no place for it. In place: a copy would not be what the host has seen and traced.
 */
export function sayServed(answer: unknown, { candidate, attempts }: Served<Candidate>): void {
  const message = messageIn(answer)
  if (message === undefined) return
  const { id, provider } = candidate
  const below = message.response_metadata['heed']
  const heed: HeedMetadata = {
    candidate: id,
    provider,
    attempts: attempts.length,
    ...(isObject(below) ? { below } : undefined),
  }
  // One that is frozen goes without.
  Reflect.set(message, 'response_metadata', { ...message.response_metadata, heed })
}

interface Message {
  readonly response_metadata: Readonly<Record<string, unknown>>
}

function messageIn(answer: unknown): Message | undefined {
  if (!isObject(answer)) return undefined
  // With a structured response the message is one of a list.
  const { messages } = answer
  return (Array.isArray(messages) ? messages : [answer]).find(isAnswer)
}

/** Told by its shape, for copies of the package are common. */
function isAnswer(value: unknown): value is Message {
  if (!isObject(value) || !isObject(value['response_metadata'])) return false
  const { getType } = value
  return typeof getType === 'function' && getType.call(value) === 'ai'
}
