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
  const { own } = decision
  if (decision.kind === 'pause') return own === undefined ? state : withOwnWait(state, own)
  return {
    attempts: state.attempts,
    targets: own === undefined ? state.targets : targetsAfter(state, own),
    candidates: state.candidates,
    waitedMs: state.waitedMs + decision.delayMs,
    reductions: state.reductions,
    idempotent: state.idempotent,
    canReduce: state.canReduce,
    deadlineMs: state.deadlineMs,
    inputTokens: state.inputTokens,
    overflowed: state.overflowed,
    last: state.last,
    sequence: own === undefined ? state.sequence : sequenceAfter(state, own),
    chosen: decision.target,
    capped: decision.capped === true,
    // A repeat that was paid for and then not made keeps its price for the same candidate.
    paid: decision.repeat === true ? decision.target.position : state.paid,
    passedOver: state.passedOver,
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
  return { ...state, targets: targetsAfter(state, own), sequence: sequenceAfter(state, own) }
}

function targetsAfter(state: CallState, own: OwnWait): CallState['targets'] {
  if (state.last === null) return state.targets
  const { tries, generation } = tallyOf(state, state.last)
  return replaced(state.targets, state.last.index, { tries, generation, readyAtMs: own.readyAtMs })
}

function sequenceAfter({ sequence }: CallState, own: OwnWait): CallState['sequence'] {
  return sequence === null ? null : { target: sequence.target, repeat: sequence.repeat, delayMs: own.backoffMs }
}
