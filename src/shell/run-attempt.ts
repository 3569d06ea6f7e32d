import type { Classification } from '../core/classification.ts'
import { AttemptHandle } from './attempt.ts'
import type { Call } from './call.ts'
import { inspectAnswer } from './classify.ts'

/** What heed itself may find wrong with an attempt. */
export type Found = 'aborted' | 'attempt_timeout' | 'idle_timeout' | 'timeout' | 'incomplete_stream'

/** An attempt that did not serve. */
export interface AttemptFailure {
  readonly ok: false
  /** What was thrown, or the answer that is a failure. */
  readonly error: unknown
  /** The failure was answered, and this is what the producer says of it. */
  readonly answered?: Classification
  readonly found?: Found
}

/** How one attempt ended: a value, never a throw. */
export type AttemptOutcome<T> = { readonly ok: true; readonly value: T } | AttemptFailure

/** Makes one attempt. What a unary call and a stream do differently. */
export type AttemptRunner<T> = (call: Call) => PromiseLike<AttemptOutcome<T>> | AttemptOutcome<T>

/** Calls the caller's function once and awaits its answer. */
export function runUnary(call: Call): Promise<AttemptOutcome<unknown>> | AttemptOutcome<unknown> {
  let answer: unknown
  try {
    answer = call.fn(call.handle as never)
  } catch (error) {
    return { ok: false, error }
  }
  const outcome = Promise.resolve(answer).then(
    (value) => judge(call, value),
    (error: unknown): AttemptFailure => ({ ok: false, error }),
  )
  return call.signal === undefined && !call.cutsAttempts ? outcome : raced(call, outcome)
}

/** An answer is a value, unless the producer reads a failure in it. */
export function judge(call: Call, value: unknown): AttemptOutcome<unknown> {
  const answered = inspectAnswer(call, value)
  return answered === undefined ? { ok: true, value } : { ok: false, error: value, answered }
}

/**
 * An attempt that the caller's abort, the attempt's limit or the deadline may cut. The promise that is cut off runs
 * on unheard: its function was told by the attempt's signal.
 */
export function raced<T>(
  call: Call,
  outcome: PromiseLike<AttemptOutcome<T>>,
  onCut?: () => void,
): Promise<AttemptOutcome<T>> {
  const { engine } = call
  const attempt = call.handle as AttemptHandle
  const nowMs = call.cutsAttempts ? engine.clock.now() : 0
  const limitMs = nowMs + engine.parts.attemptTimeoutMs
  const atMs = Math.min(limitMs, call.deadlineMs)
  return new Promise((resolve) => {
    const alarm =
      atMs < Number.POSITIVE_INFINITY
        ? engine.timers.add(atMs, () => {
            cut(limitMs < call.deadlineMs ? 'attempt_timeout' : 'timeout')
          })
        : undefined
    const settle = (ended: AttemptOutcome<T>): void => {
      if (alarm !== undefined) engine.timers.cancel(alarm)
      call.cancel = undefined
      resolve(ended)
    }
    const cut = (found: 'aborted' | 'attempt_timeout' | 'timeout'): void => {
      const reason =
        found === 'aborted' ? call.abortReason : timedOut(found === 'timeout' ? 'timeoutMs' : 'attemptTimeoutMs')
      settle({ ok: false, error: reason, found })
      AttemptHandle.cut(attempt, reason)
      onCut?.()
    }
    call.cancel = () => cut('aborted')
    outcome.then(settle)
    // A listener of `attempt` may have aborted before there was anything to cancel.
    if (call.aborted) cut('aborted')
  })
}

/** The reason that an attempt's signal gives when heed itself cuts the attempt. */
export function timedOut(limit: 'timeoutMs' | 'attemptTimeoutMs' | 'idleTimeoutMs'): DOMException {
  return new DOMException(`heed: ${limit} has passed`, 'TimeoutError')
}
