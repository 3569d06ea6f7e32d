import type { Producer } from '../../core/producer.ts'
import type { Frame } from './frames.ts'

/** A producer that reads the events of a stream as they are split: parsed once for all that is asked of an event. */
export const ofFrames = (producer: Producer): Producer => ({
  classify: (raw, env) => producer.classify(raw, env),
  inspect: (frame, env) => producer.inspect?.((frame as Frame).item, env),
  // A comment says nothing, and so does an event that nobody knows.
  isContent: (frame) => producer.isContent?.((frame as Frame).item) ?? false,
  isEnd: (frame) => producer.isEnd?.((frame as Frame).item) ?? false,
})

/** Whether a whole answer is a failure that calls itself a success. A producer that throws says nothing, as in heed itself. */
export function saysFailure(producer: Producer, item: unknown): boolean {
  try {
    return producer.inspect?.({ text: '', item } satisfies Frame, { nowMs: 0 }) !== undefined
  } catch {
    return false
  }
}
