import type { Classification } from '../core/classification.ts'
import type { Failure } from '../core/decision.ts'
import type { Draft } from '../core/draft.ts'
import { HeedError } from '../errors.ts'
import { countFailure } from './breaker.ts'
import type { Call } from './call.ts'
import { classify } from './classify.ts'
import { recordOf } from './record.ts'
import { reportFailure, reportMarks } from './report.ts'
import type { AttemptFailure } from './run-attempt.ts'

/**
 * Takes a failed attempt: classifies it, writes it down, tells of it and folds it into the marks, prompts included.
 * What follows for the call is decided apart.
 */
export function fail(call: Call, failed: AttemptFailure): Failure {
  const { engine, target, generation } = call
  const { store, policy } = engine
  const { found } = failed
  const known: Classification =
    found === undefined
      ? classify(call, failed.error, failed.answered)
      : found === 'aborted'
        ? ABORTED
        : MAY_HAVE_BEEN_EXECUTED
  call.lastClassification = known
  const record = recordOf(target, call.waitedMs, known.class, known.retryAfterSecs)
  call.records = call.records.length === 0 ? [record] : [...call.records, record]
  call.waitedMs = 0
  call.handle = undefined
  const ownFinding = found !== undefined && found !== 'aborted'
  const error = ownFinding ? new HeedError({ reason: found, attempts: call.records }) : failed.error
  call.failure = ownFinding ? { ...failed, error } : failed
  const failure: Draft<Failure> = { kind: 'failure', target, classification: withoutDetail(known), generation }
  if (call.aborted) failure.aborted = true
  if (call.committed) failure.committed = true
  const nowMs = engine.clock.now()
  call.nowMs = nowMs
  // Before anybody is told: a call that a listener makes obeys what this one was told.
  const [before, after] = store.observe(policy, { kind: 'failure', failure, state: call.stateNow(), nowMs })
  reportFailure(call, failure, found)
  reportMarks(call, nowMs, before, after)
  countFailure(call, failure, nowMs)
  return failure
}

const ABORTED: Classification = Object.freeze({ class: undefined })
const MAY_HAVE_BEEN_EXECUTED: Classification = Object.freeze({ class: undefined, ambiguous: true })

/** Detail is diagnostics of the producer's: nothing that decides, or is told, may hold it. */
function withoutDetail(known: Classification): Classification {
  if (known.detail === undefined) return known
  const { detail: _private, ...rest } = known
  return rest
}
