import type { Occasion } from '../core/decision.ts'
import type { Call } from './call.ts'
import { ABORTED, type Ended, end } from './end.ts'
import { fail } from './fail.ts'
import { linkAbort, unlinkAbort } from './link-abort.ts'
import { nextDecision } from './next-decision.ts'
import { reduce } from './reduce.ts'
import type { AttemptFailure, AttemptRunner } from './run-attempt.ts'
import { pause, wait } from './wait.ts'

/**
 * Runs a call from its start.
 *
 * @param run - Makes one attempt: what a unary call and a stream do differently.
 */
export async function runCall<T>(call: Call, run: AttemptRunner<T>): Promise<Ended<T>> {
  const { signal, engine } = call
  if (signal?.aborted === true) {
    call.abort()
    return end(call, ABORTED)
  }
  if (signal !== undefined) linkAbort(signal, call)
  try {
    if (!engine.isClear(call.options.inputTokens)) return await loop(call, run, { kind: 'start' })
    call.beginFirst()
    const outcome = await run(call)
    return outcome.ok ? outcome : await resume(call, run, outcome)
  } finally {
    if (signal !== undefined) unlinkAbort(signal, call)
  }
}

/** Goes on with a call whose first attempt has failed. Linking the caller's signal is left to who made it. */
export function resume<T>(call: Call, run: AttemptRunner<T>, failed: AttemptFailure): Promise<Ended<T>> {
  try {
    return loop(call, run, fail(call, failed))
  } catch (error) {
    return Promise.reject(error)
  }
}

/** The only loop: attempt, classify, observe, decide, act, advance, until the call has a value or surfaces. */
async function loop<T>(call: Call, run: AttemptRunner<T>, first: Occasion): Promise<Ended<T>> {
  let occasion = first
  for (;;) {
    const decision = nextDecision(call, occasion)
    if (decision.kind === 'surface') return end(call, decision)
    call.drop()
    // A listener may have aborted just now: then nothing may begin.
    if (call.aborted) return end(call, ABORTED)
    if (decision.kind === 'pause') occasion = await pause(call, decision)
    else if (decision.kind === 'reduce') occasion = await reduce(call, decision)
    else if (decision.delayMs > 0) {
      await wait(call, decision.delayMs)
      occasion = { kind: 'wake' }
    } else if (call.decidedAt !== call.engine.store.version && occasion.kind !== 'wake') {
      // A listener has taught the marks something since: the decision is taken again, once.
      occasion = { kind: 'wake' }
    } else {
      call.begin(decision)
      const outcome = await run(call)
      if (outcome.ok) return outcome
      occasion = fail(call, outcome)
      continue
    }
    if (call.aborted) return end(call, ABORTED)
  }
}
