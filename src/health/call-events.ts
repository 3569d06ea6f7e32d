import type { DecideInput } from '../core/decide.ts'
import type { AdvanceReason, Decision, OwnFinding, PauseReason, RetryReason, SurfaceReason } from '../core/decision.ts'
import type { Policy } from '../core/policy.ts'
import type { MalformedHint } from '../wire/read-classification.ts'

/** What every event of a call says. No event ever holds a producer's message, body or detail. */
export interface CallEvent {
  readonly callId: string
  /** Milliseconds of the monotonic clock. */
  readonly at: number
  /** The candidate asked for: the first of the chain. */
  readonly asked: string
}

/** What every event about one attempt or target says. */
export interface TargetEvent extends CallEvent {
  /** The candidate that serves. */
  readonly candidate: string
  readonly provider: string
  /** Its credential's id. */
  readonly credential?: string
}

/** An attempt starts. */
export interface AttemptEvent extends TargetEvent {
  /** Position among the call's attempts, from 1. */
  readonly number: number
  /** Position among the call's attempts at this target, from 1. */
  readonly targetAttempt: number
  /** Milliseconds that the call waited or paused since the attempt before. */
  readonly waitedMs: number
}

/** An attempt failed. */
export interface FailureEvent extends TargetEvent {
  readonly number: number
  /** As the producer stated it; absent where nobody did. */
  readonly class?: string
  readonly retryAfterSecs?: number
  readonly ambiguous?: true
  readonly exhausted?: true
  /** The failure is heed's own finding, or the caller's abort. */
  readonly found?: 'aborted' | OwnFinding
}

/** The same target is tried again, after a wait. */
export interface RetryEvent extends TargetEvent {
  readonly reason: RetryReason
  readonly delayMs: number
  readonly class?: string
  readonly retryAfterSecs?: number
}

/** The call goes on with another target, after a wait. */
export interface AdvanceEvent extends TargetEvent {
  /** The candidate before; absent at the start of a call. */
  readonly from?: string
  readonly reason: AdvanceReason
  readonly delayMs: number
  readonly class?: string
  readonly retryAfterSecs?: number
}

/** A call waits for a human. */
export interface PauseEvent extends CallEvent {
  readonly candidate: string
  readonly provider: string
  readonly reason: PauseReason
  /** Longest that it waits, in milliseconds. */
  readonly maxMs: number
}

/** A pause is over. */
export interface ResumeEvent extends CallEvent {
  readonly candidate: string
  readonly provider: string
  readonly outcome: 'resolved' | 'declined' | 'unanswered'
  readonly pausedMs: number
}

/** The caller's `reduce` is asked for a smaller input. */
export interface ReduceEvent extends TargetEvent {
  /** How many reductions this call has asked for, this one included. */
  readonly reduction: number
}

/** The call can no longer be replayed. */
export interface CommitEvent extends TargetEvent {
  readonly number: number
  /** First content item, too many items held before one, or `attempt.commit()`. */
  readonly by: 'content' | 'held_limit' | 'attempt'
}

/** An attempt, and with it its call, succeeded. */
export interface SuccessEvent extends TargetEvent {
  /** Attempts made by the call. */
  readonly attempts: number
  /** Items handed to the consumer of a stream. */
  readonly delivered?: number
}

/** A call ends without a value, or with an answer that is passed on as it came. */
export interface SurfaceEvent extends CallEvent {
  readonly candidate: string
  readonly reason: SurfaceReason | OwnFinding
  readonly class?: string
  readonly retryAfterSecs?: number
  readonly attempts: number
}

/** A failure whose class is not in the set, or absent, is passed through; beside the call's `surface`. */
export interface PassthroughEvent extends TargetEvent {
  readonly reason: 'unknown_class' | 'unclassified'
  readonly class?: string
}

/** A human is needed. Once per provider and generation. */
export interface AuthPromptEvent extends TargetEvent {
  readonly generation: number
  /** Ids of the refused credentials. */
  readonly refused: readonly string[]
  /** Whether no call can use the provider until it is answered; false while another credential serves. */
  readonly blocking: boolean
}

/** A target is not to be attempted for a while, by any call. */
export interface CoolingEvent extends TargetEvent {
  readonly source: 'hint' | 'breaker'
  readonly forMs: number
}

/** Every candidate of the chain is permanently refused: nothing but a change of configuration helps. */
export interface ChainDeadEvent extends CallEvent {
  readonly candidate: string
  readonly candidates: readonly string[]
}

/** Something from outside was not as it must be, and was left out. Its value is not repeated here. */
export interface MalformedEvent extends CallEvent {
  readonly candidate: string
  readonly source: 'wire' | 'producer' | 'strategy' | 'stream'
  /** What was at fault: a field or a function. */
  readonly field: string
  readonly fault: MalformedHint | 'threw' | 'wrong_type'
}

/** A decision with all that it depended on: `decide(policy, input)` gives it again. */
export interface DecisionEvent extends CallEvent {
  readonly policy: Policy
  readonly input: DecideInput
  readonly decision: Decision
}
