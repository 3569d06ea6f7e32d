import type { Target } from '../core/candidate.ts'
import type { AttemptRecord } from '../errors.ts'

/** Writes one attempt down, as errors and outcomes report it. */
export function recordOf(
  target: Target,
  waitedMs: number,
  errorClass?: string,
  retryAfterSecs?: number,
): AttemptRecord {
  return {
    candidate: target.candidate,
    ...(target.credential === undefined ? undefined : { credential: target.credential }),
    ...(errorClass === undefined ? undefined : { class: errorClass }),
    ...(retryAfterSecs === undefined ? undefined : { retry_after_secs: retryAfterSecs }),
    waited_ms: waitedMs,
  }
}
