import type { Target } from '../core/candidate.ts'
import type { Draft } from '../core/draft.ts'
import type { AttemptRecord } from '../errors.ts'

/** Writes one attempt down, as errors and outcomes report it. */
export function recordOf(
  target: Target,
  waitedMs: number,
  errorClass?: string,
  retryAfterSecs?: number,
): AttemptRecord {
  const { candidate } = target
  // The usual record in one literal: a field added later costs a second object.
  if (target.credential === undefined && retryAfterSecs === undefined && errorClass !== undefined) {
    return { candidate, class: errorClass, waited_ms: waitedMs }
  }
  const record: Partial<Draft<AttemptRecord>> = { candidate }
  if (target.credential !== undefined) record.credential = target.credential
  if (errorClass !== undefined) record.class = errorClass
  if (retryAfterSecs !== undefined) record.retry_after_secs = retryAfterSecs
  record.waited_ms = waitedMs
  return record as AttemptRecord
}
