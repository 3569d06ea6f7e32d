import type { Target } from './candidate.ts'
import type { ErrorClass } from './classification.ts'
import type { Policy } from './policy.ts'

/** What a call remembers of a target. */
export interface TargetTally {
  /** Attempts made at it, in the provider's generation beside. */
  readonly tries: number
  /** After `resolve` the count starts again. */
  readonly generation: number
  /** The end of the wait last computed for it; a wait that did not fit is not skipped. */
  readonly readyAtMs: number
}

/** What a call remembers of a candidate. */
export interface CandidateTally {
  /** Permanently refused: dead for this call. */
  readonly dead: boolean
  /** The class of its last failure in this call: after `transient`, a further attempt is a repeat. */
  readonly last?: ErrorClass
  /** Credentials of it refused in this call, in the provider's generation beside. */
  readonly refusals: number
  readonly generation: number
}

/** A call between two attempts, as plain JSON values. Made at the first failure; never changed, only replaced. */
export interface CallState {
  /** Attempts that have ended. The next one's number is this plus 1. */
  readonly attempts: number
  readonly targets: readonly TargetTally[]
  readonly candidates: readonly CandidateTally[]
  /** Milliseconds waited between attempts so far. Pauses are bounded apart. */
  readonly waitedMs: number
  readonly reductions: number
  readonly idempotent: boolean
  readonly canReduce: boolean
  /** Monotonic; absent is none. */
  readonly deadlineMs?: number
  readonly inputTokens?: number
  /** The largest window that this input overflowed, or `'unknown'` once it overflowed one that is not known. */
  readonly overflowed?: number | 'unknown'
  /** Where the last attempt was made. */
  readonly last?: Target
  /** How often in a row a target (its index) was transient, and what the backoff last answered there. */
  readonly sequence?: { readonly target: number; readonly repeat: number; readonly delayMs?: number }
  /** The target that the last decision chose. */
  readonly chosen?: Target
  /** The chosen target's cooling mark is overlooked. */
  readonly capped?: true
  /** A repeat at this candidate (its position) is paid for and not yet made. */
  readonly paid?: number
  /** Providers whose pause ended without an answer, with the generation it was asked in. */
  readonly passedOver: readonly { readonly provider: string; readonly generation: number }[]
}

/** What a call brings along. */
export interface CallFacts {
  readonly deadlineMs?: number
  readonly inputTokens?: number
  readonly idempotent?: boolean
  readonly canReduce?: boolean
}

/** A target that this call has not attempted. */
export const NEW_TARGET: TargetTally = Object.freeze({ tries: 0, generation: 0, readyAtMs: 0 })
const NEW_CANDIDATE: CandidateTally = Object.freeze({ dead: false, refusals: 0, generation: 0 })

/** A call that has not attempted anything. */
export function startCall(policy: Policy, facts: CallFacts = {}): CallState {
  const bounded = facts.deadlineMs !== undefined && facts.deadlineMs < Number.POSITIVE_INFINITY
  return {
    attempts: 0,
    targets: policy.targets.map(() => NEW_TARGET),
    candidates: policy.candidates.map(() => NEW_CANDIDATE),
    waitedMs: 0,
    reductions: 0,
    idempotent: facts.idempotent === true,
    canReduce: facts.canReduce === true,
    ...(bounded ? { deadlineMs: facts.deadlineMs as number } : {}),
    ...(facts.inputTokens === undefined ? {} : { inputTokens: facts.inputTokens }),
    passedOver: [],
  }
}

/** Attempts made at a target since its provider was last resolved. */
export function triesAt(state: CallState, target: Target, generation: number): number {
  const tally = state.targets[target.index] ?? NEW_TARGET
  return tally.generation === generation ? tally.tries : 0
}

/** Credentials of a candidate that this call saw refused since its provider was last resolved. */
export function refusalsAt(state: CallState, target: Target, generation: number): number {
  const tally = state.candidates[target.position] ?? NEW_CANDIDATE
  return tally.generation === generation ? tally.refusals : 0
}

/** A copy of a list with one item changed. */
export function replaced<T>(list: readonly T[], index: number, item: T): readonly T[] {
  const copy = list.slice()
  copy[index] = item
  return copy
}
