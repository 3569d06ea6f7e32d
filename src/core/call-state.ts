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
  readonly last: ErrorClass | null
  /** Credentials of it refused in this call, in the provider's generation beside. */
  readonly refusals: number
  readonly generation: number
}

/** How often in a row a target was transient, and what the backoff last answered there. */
export interface Sequence {
  /** The target's index. */
  readonly target: number
  readonly repeat: number
  /** Milliseconds; `null` before the first answer. */
  readonly delayMs: number | null
}

/** A provider whose pause ended without an answer, with the generation it was asked in. */
export interface PassedOver {
  readonly provider: string
  readonly generation: number
}

/**
 * A call between two attempts, as plain JSON values. Made at the first failure; never changed, only replaced. All
 * fields are always there (`null` where there is nothing): objects of one shape are what engines are fast with.
 */
export interface CallState {
  /** Attempts that have ended. The next one's number is this plus 1. */
  readonly attempts: number
  /** By target. */
  readonly targets: readonly TargetTally[]
  /** By position in the chain. */
  readonly candidates: readonly CandidateTally[]
  /** Milliseconds waited between attempts so far. Pauses are bounded apart. */
  readonly waitedMs: number
  readonly reductions: number
  readonly idempotent: boolean
  readonly canReduce: boolean
  /** Monotonic. */
  readonly deadlineMs: number | null
  readonly inputTokens: number | null
  /** The largest window that this input overflowed, or `'unknown'` once it overflowed one that is not known. */
  readonly overflowed: number | 'unknown' | null
  /** Where the last attempt was made. */
  readonly last: Target | null
  readonly sequence: Sequence | null
  /** The target that the last decision chose. */
  readonly chosen: Target | null
  /** The chosen target's cooling mark is overlooked. */
  readonly capped: boolean
  /** A repeat at this candidate (its position) is paid for and not yet made. */
  readonly paid: number | null
  readonly passedOver: readonly PassedOver[]
}

/** What a call brings along. */
export interface CallFacts {
  /** Monotonic; absent or `Infinity` is none. */
  readonly deadlineMs?: number | undefined
  readonly inputTokens?: number | undefined
  readonly idempotent?: boolean | undefined
  readonly canReduce?: boolean | undefined
}

/** A target that this call has not attempted. */
export const NEW_TARGET: TargetTally = Object.freeze({ tries: 0, generation: 0, readyAtMs: 0 })

const NEW_CANDIDATE: CandidateTally = Object.freeze({ dead: false, last: null, refusals: 0, generation: 0 })
const NOBODY: readonly PassedOver[] = Object.freeze([])

/** A call that has not attempted anything. */
export function startCall(policy: Policy, facts: CallFacts = {}): CallState {
  const { deadlineMs, inputTokens } = facts
  return {
    attempts: 0,
    targets: new Array<TargetTally>(policy.targets.length).fill(NEW_TARGET),
    candidates: new Array<CandidateTally>(policy.candidates.length).fill(NEW_CANDIDATE),
    waitedMs: 0,
    reductions: 0,
    idempotent: facts.idempotent === true,
    canReduce: facts.canReduce === true,
    deadlineMs: deadlineMs === undefined || deadlineMs === Number.POSITIVE_INFINITY ? null : deadlineMs,
    inputTokens: inputTokens ?? null,
    overflowed: null,
    last: null,
    sequence: null,
    chosen: null,
    capped: false,
    paid: null,
    passedOver: NOBODY,
  }
}

/** What is remembered of a target. */
export function tallyOf(state: CallState, target: Target): TargetTally {
  return state.targets[target.index] ?? NEW_TARGET
}

/** What is remembered of a target's candidate. */
export function candidateTallyOf(state: CallState, target: Target): CandidateTally {
  return state.candidates[target.position] ?? NEW_CANDIDATE
}

/** Attempts made at a target since its provider was last resolved. */
export function triesAt(state: CallState, target: Target, generation: number): number {
  const tally = tallyOf(state, target)
  return tally.generation === generation ? tally.tries : 0
}

/** Credentials of a candidate that this call saw refused since its provider was last resolved. */
export function refusalsAt(state: CallState, target: Target, generation: number): number {
  const tally = candidateTallyOf(state, target)
  return tally.generation === generation ? tally.refusals : 0
}

/** A copy of a list with one item changed. */
export function replaced<T>(list: readonly T[], index: number, item: T): readonly T[] {
  const copy = list.slice()
  copy[index] = item
  return copy
}
