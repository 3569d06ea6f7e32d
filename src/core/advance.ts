import { type CallState, type CandidateTally, NEW_TARGET, replaced } from './call-state.ts'
import type { Target } from './candidate.ts'
import type { Decision, Occasion, OwnWait } from './decision.ts'
import { withFailure } from './fold-failure.ts'
import type { Policy } from './policy.ts'

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

function forgotten(tally: CandidateTally): CandidateTally {
  const { last: _last, ...rest } = tally
  return rest
}
