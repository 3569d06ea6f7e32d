import type { Target } from './candidate.ts'
import { type ErrorClass, isErrorClass } from './classification.ts'
import type { Decision, Failure, Occasion, OwnWait } from './decision.ts'
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

const NEW_TARGET: TargetTally = Object.freeze({ tries: 0, generation: 0, readyAtMs: 0 })
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

/** The class that decides: an ambiguous failure of an idempotent call counts as `transient` where it has none. */
export function decidingClass(state: CallState, failure: Failure): string | undefined {
  const { classification } = failure
  if (classification.class === undefined && classification.ambiguous === true && state.idempotent) return 'transient'
  return classification.class
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

/** Folds a failed attempt into the state. */
export function withFailure(policy: Policy, state: CallState, failure: Failure): CallState {
  const { target, classification, generation } = failure
  const decisive = decidingClass(state, failure)
  const known = isErrorClass(decisive) ? decisive : undefined
  const spent = classification.exhausted === true && known === 'transient'
  const tries = triesAt(state, target, generation) + 1
  const tally: CandidateTally = {
    dead: state.candidates[target.position]?.dead === true || known === 'permanent',
    ...(known === undefined ? {} : { last: known }),
    refusals: refusalsAt(state, target, generation) + (known === 'auth_required' ? 1 : 0),
    generation,
  }
  let candidates = replaced(state.candidates, target.position, tally)
  if (known === 'permanent' && classification.scope === 'provider') {
    candidates = candidates.map((other, position) =>
      policy.candidates[position]?.provider === target.provider ? { ...other, dead: true, last: 'permanent' } : other,
    )
  }
  const { chosen: _chosen, capped: _capped, paid: _paid, sequence, ...rest } = state
  return {
    ...rest,
    attempts: state.attempts + 1,
    last: target,
    targets: replaced(state.targets, target.index, {
      tries: spent ? Math.max(tries, policy.limits.perTarget) : tries,
      generation,
      readyAtMs: 0,
    }),
    candidates,
    ...(known === 'context_overflow' ? { overflowed: overflowedBy(state, target) } : {}),
    ...(known === 'transient' ? { sequence: nextSequence(sequence, target) } : {}),
  }
}

/** Folds an occasion and what was decided about it into the state. */
export function advance(policy: Policy, state: CallState, occasion: Occasion, decision: Decision): CallState {
  const next = withOccasion(policy, state, occasion)
  const own = 'own' in decision ? decision.own : undefined
  const waited = own === undefined || occasion.kind !== 'failure' ? next : withOwnWait(next, occasion.target, own)
  if (decision.kind !== 'retry' && decision.kind !== 'advance') return waited
  const { capped: _capped, paid, ...rest } = waited
  return {
    ...rest,
    chosen: decision.target,
    waitedMs: waited.waitedMs + decision.delayMs,
    ...(decision.capped === undefined ? {} : { capped: decision.capped }),
    // A repeat that was paid for and then not made keeps its price for the same candidate.
    ...(decision.repeat === true ? { paid: decision.target.position } : paid === undefined ? {} : { paid }),
  }
}

/** Folds an occasion alone: what is true before a decision is taken. */
export function withOccasion(policy: Policy, state: CallState, occasion: Occasion): CallState {
  switch (occasion.kind) {
    case 'failure':
      return withFailure(policy, state, occasion)
    case 'unanswered': {
      const { provider, generation } = occasion
      return { ...state, passedOver: [...state.passedOver, { provider, generation }] }
    }
    case 'reduced': {
      const { overflowed: _overflowed, inputTokens: _inputTokens, ...rest } = state
      return {
        ...rest,
        reductions: state.reductions + 1,
        targets: state.targets.map((tally, index) =>
          policy.targets[index]?.candidate === occasion.target.candidate ? NEW_TARGET : tally,
        ),
        candidates: state.candidates.map((tally) => (tally.last === 'context_overflow' ? forgotten(tally) : tally)),
      }
    }
    default:
      return state
  }
}

/** Keeps the wait that was computed for a target after a transient failure. */
export function withOwnWait(state: CallState, target: Target, own: OwnWait): CallState {
  const tally = state.targets[target.index] ?? NEW_TARGET
  return {
    ...state,
    targets: replaced(state.targets, target.index, { ...tally, readyAtMs: own.readyAtMs }),
    ...(state.sequence === undefined ? {} : { sequence: { ...state.sequence, delayMs: own.backoffMs } }),
  }
}

/** A change of class or target starts the backoff again; a hint does not. */
function nextSequence(last: CallState['sequence'], target: Target): NonNullable<CallState['sequence']> {
  return last?.target === target.index ? { ...last, repeat: last.repeat + 1 } : { target: target.index, repeat: 1 }
}

function overflowedBy(state: CallState, target: Target): number | 'unknown' {
  if (target.contextWindow === undefined || state.overflowed === 'unknown') return 'unknown'
  return Math.max(state.overflowed ?? 0, target.contextWindow)
}

function forgotten(tally: CandidateTally): CandidateTally {
  const { last: _last, ...rest } = tally
  return rest
}

function replaced<T>(list: readonly T[], index: number, item: T): readonly T[] {
  const copy = list.slice()
  copy[index] = item
  return copy
}
