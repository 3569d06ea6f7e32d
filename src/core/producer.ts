import type { Classification } from './classification.ts'

/** What an adapter may use besides the value it reads. */
export interface ProducerEnv {
  /** Wall clock, milliseconds since the epoch: for HTTP dates and reset times. */
  readonly nowMs: number
}

/**
 * Stands at the source's edge and states the class that the source itself does not: it alone may look at status,
 * headers, provider codes and text. It never decides and never throws.
 */
export interface Producer {
  /** Reads something thrown. Answers nothing where it cannot tell. */
  classify(raw: unknown, env: ProducerEnv): Classification | undefined
  /** Reads a failure that was *answered*: a unary value or a stream item. Answers nothing for an ordinary value. */
  inspect?(value: unknown, env: ProducerEnv): Classification | undefined
  /** Whether a stream item is content: handing the first one over commits the call. Default: every item is. */
  isContent?(item: unknown): boolean
  /** Whether a stream item says that the answer is complete. With it, an end without one is a failure. */
  isEnd?(item: unknown): boolean
}
