import type { Target } from './candidate.ts'
import type { Classification } from './classification.ts'

/** Why the same target is tried again. `retry_after`: the producer's hint decided the wait. */
export type RetryReason = 'backoff' | 'retry_after' | 'capped' | 'late_refusal' | 'resumed' | 'reduced'

/** Why a call goes on with another target than the one before (or, at its start, than the chain's first). */
export type AdvanceReason =
  | 'start'
  | 'wait_too_long'
  | 'switch_after'
  | 'attempts_spent'
  | 'budget_spent'
  | 'exhausted_below'
  | 'permanent'
  | 'next_credential'
  | 'auth_required'
  | 'larger_window'
  | 'late_refusal'
  | 'resumed'
  | 'reduced'
  | 'deadline'
  | 'changed'

/** Why a call waits for a human: its own attempt was refused, or the provider it wants is blocked already. */
export type PauseReason = 'auth_required' | 'blocked'

/**
 * Why a call ends without a value. The first five leave the failure as it came; the others are made of several
 * outcomes and surface as a `HeedError`.
 */
export type SurfaceReason =
  | AsItCame
  | 'total_attempts'
  | 'deadline'
  | 'all_permanent'
  | 'auth_required'
  | 'context_overflow'
  | 'wait_too_long'
  | 'attempts_spent'
  | 'budget_spent'
  | 'exhausted_below'
  | 'no_candidate'

/** What heed's own wait before a repeat came to: kept by the call, so that the target is not ready before it ends. */
export interface OwnWait {
  /** Milliseconds that the backoff answered. */
  readonly backoffMs: number
  /** When the target is ready for this call: hint, spread and cooling mark included. */
  readonly readyAtMs: number
}

interface Going {
  readonly target: Target
  /** Milliseconds to wait first; 0 is at once. */
  readonly delayMs: number
  /** Takes one repeat from the candidate's retry budget. */
  readonly repeat?: true
  /** The target's cooling mark is overlooked by this call (`onTooLong: 'cap'`). */
  readonly capped?: true
  /** The target's breaker is half-open and this attempt is the probe. */
  readonly probe?: true
  readonly own?: OwnWait
}

/** The same target again. */
export interface Retry extends Going {
  readonly kind: 'retry'
  readonly reason: RetryReason
}

/** Another target (or, at the start of a call, the first). */
export interface Advance extends Going {
  readonly kind: 'advance'
  readonly reason: AdvanceReason
}

/** Wait for a human's answer about a provider. */
export interface Pause {
  readonly kind: 'pause'
  readonly reason: PauseReason
  /** The candidate that the call would have taken. */
  readonly candidate: string
  readonly provider: string
  /** The provider's auth generation: an answer since then ends the pause before it begins. */
  readonly generation: number
  readonly own?: OwnWait
}

/** Make the input smaller, for the candidate that it overflowed. */
export interface Reduce {
  readonly kind: 'reduce'
  readonly reason: 'context_overflow'
  readonly target: Target
}

/** The call ends. */
export interface Surface {
  readonly kind: 'surface'
  readonly reason: SurfaceReason
  /** The class that tells the next layer the best remedy. */
  readonly class?: string
  readonly retryAfterSecs?: number
  /** Every candidate of the chain is dead: the one case that raises the chain-dead alarm. */
  readonly chainDead?: true
}

/** What heed itself may find wrong with an attempt. */
export type OwnFinding =
  /** `attemptTimeoutMs` cut it. */
  | 'attempt_timeout'
  /** `idleTimeoutMs` passed between two items of a committed stream. */
  | 'idle_timeout'
  /** `timeoutMs` cut the call while it ran. */
  | 'timeout'
  /** A stream ended before its content, or without its end. */
  | 'incomplete_stream'

/** Reasons that leave a failure as it came. */
export type AsItCame = 'aborted' | 'committed' | 'ambiguous' | 'unknown_class' | 'unclassified'

/** What happens next. */
export type Decision = Retry | Advance | Pause | Reduce | Surface

/** An attempt that failed, as the core sees it. */
export interface Failure {
  readonly kind: 'failure'
  readonly target: Target
  readonly classification: Classification
  /** The provider's auth generation when the attempt started. */
  readonly generation: number
  readonly aborted?: boolean
  readonly committed?: boolean
}

/** What a decision is asked for. */
export type Occasion =
  | { readonly kind: 'start' }
  | Failure
  /** A wait is over. */
  | { readonly kind: 'wake' }
  /** A pause is over because a human answered, resolving or declining. */
  | { readonly kind: 'answered' }
  /** A pause is over because `maxPauseMs` or the deadline ended it: this call goes on as if declined. */
  | { readonly kind: 'unanswered'; readonly provider: string; readonly generation: number }
  /** The input was reduced for this target. */
  | { readonly kind: 'reduced'; readonly target: Target }
  /** No smaller input was made. */
  | { readonly kind: 'not_reduced' }

/** Whether a surfaced failure is thrown as it came instead of as a `HeedError`. */
export function surfacesAsItCame(reason: SurfaceReason): reason is AsItCame {
  return (
    reason === 'aborted' ||
    reason === 'committed' ||
    reason === 'ambiguous' ||
    reason === 'unknown_class' ||
    reason === 'unclassified'
  )
}
