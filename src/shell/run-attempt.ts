import type { Classification } from '../core/classification.ts'
import type { OwnFinding } from '../core/decision.ts'
import type { Call } from './call.ts'
import { inspectAnswer } from './classify.ts'
import { RunningAttempt } from './running-attempt.ts'

/** An attempt that did not serve. */
export interface AttemptFailure {
  readonly ok: false
  /** What was thrown, or the answer that is a failure. */
  readonly error: unknown
  /** The failure was answered, and this is what the producer says of it. */
  readonly answered?: Classification
  readonly found?: 'aborted' | OwnFinding
}

/** How one attempt ended: a value, never a throw. */
export type AttemptOutcome<T> = { readonly ok: true; readonly value: T } | AttemptFailure

/** Who is told how an attempt ended. */
export interface Attempting<T> {
  attempted(outcome: AttemptOutcome<T>): void
}

/** Makes one attempt, and tells how it ended. What a unary call and a stream do differently. */
export type AttemptRunner<T> = (call: Call, told: Attempting<T>) => void

/** Calls the caller's function once, and tells how that ended as soon as it has, or is cut. */
export function runUnary(call: Call, told: Attempting<unknown>): void {
  if (call.signal === undefined && !call.cutsAttempts) {
    invoke(call).then(
      (value) => told.attempted(judge(call, value)),
      (error: unknown) => told.attempted({ ok: false, error }),
    )
    return
  }
  const running = new RunningAttempt(call, told)
  const answer = invoke(call)
  cancelIfAborted(call)
  answer.then(
    (value) => {
      // One that comes too late is no answer of the target that the call is at now.
      if (running.heard) running.settle(judge(call, value))
    },
    (error: unknown) => running.settle({ ok: false, error }),
  )
}

function invoke(call: Call): Promise<unknown> {
  try {
    return Promise.resolve(call.fn(call.handle as never))
  } catch (error) {
    return Promise.reject(error)
  }
}

/** An answer is a value, unless the producer reads a failure in it. */
export function judge(call: Call, value: unknown): AttemptOutcome<unknown> {
  const answered = inspectAnswer(call, value)
  return answered === undefined ? { ok: true, value } : { ok: false, error: value, answered }
}

/** A listener of `attempt` may have aborted before there was anything to cancel; the invocation counts all the same. */
export function cancelIfAborted(call: Call): void {
  if (call.aborted) call.underWay?.cancel()
}
