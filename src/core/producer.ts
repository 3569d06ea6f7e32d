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
  /**
   * Whether a stream item is content: handing the first one over commits the call. Nothing where it is no item of
   * this producer (the caller may have mapped it): then, as without a producer, it is.
   */
  isContent?(item: unknown): boolean | undefined
  /**
   * Whether a stream item says that the answer is complete; nothing where it is no item of this producer. A stream
   * that had items of the producer's must end with one that says so.
   */
  isEnd?(item: unknown): boolean | undefined
}
