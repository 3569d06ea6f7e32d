import { type CallState, NEW_TARGET, replaced, tallyOf } from './call-state.ts'
import type { Decision, Occasion, OwnWait } from './decision.ts'
import { withFailure } from './fold-failure.ts'
import type { Policy } from './policy.ts'

/** Folds an occasion and what was decided about it into the state. */
export function advance(policy: Policy, state: CallState, occasion: Occasion, decision: Decision): CallState {
  return withDecision(withOccasion(policy, state, occasion), decision)
}

/** Folds a decision into a state that holds its occasion already. */
export function withDecision(state: CallState, decision: Decision): CallState {
  if (decision.kind === 'surface' || decision.kind === 'reduce') return state
  const waited = decision.own === undefined ? state : withOwnWait(state, decision.own)
  if (decision.kind === 'pause') return waited
  return {
    attempts: waited.attempts,
    targets: waited.targets,
    candidates: waited.candidates,
    waitedMs: waited.waitedMs + decision.delayMs,
    reductions: waited.reductions,
    idempotent: waited.idempotent,
    canReduce: waited.canReduce,
    deadlineMs: waited.deadlineMs,
    inputTokens: waited.inputTokens,
    overflowed: waited.overflowed,
    last: waited.last,
    sequence: waited.sequence,
    chosen: decision.target,
    capped: decision.capped === true,
    // A repeat that was paid for and then not made keeps its price for the same candidate.
    paid: decision.repeat === true ? decision.target.position : waited.paid,
    passedOver: waited.passedOver,
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
      const { candidate } = occasion.target
      return {
        ...state,
        overflowed: null,
        inputTokens: null,
        reductions: state.reductions + 1,
        targets: state.targets.map((tally, index) =>
          policy.targets[index]?.candidate === candidate ? NEW_TARGET : tally,
        ),
        candidates: state.candidates.map((tally) =>
          tally.last === 'context_overflow' ? { ...tally, last: null } : tally,
        ),
      }
    }
    default:
      return state
  }
}

/** Keeps the wait that was computed for the last target after a transient failure. */
export function withOwnWait(state: CallState, own: OwnWait): CallState {
  const { sequence, last } = state
  if (last === null) return state
  const { tries, generation } = tallyOf(state, last)
  return {
    ...state,
    targets: replaced(state.targets, last.index, { tries, generation, readyAtMs: own.readyAtMs }),
    sequence: sequence === null ? null : { target: sequence.target, repeat: sequence.repeat, delayMs: own.backoffMs },
  }
}
