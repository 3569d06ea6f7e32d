import {
  type CallState,
  type CandidateTally,
  candidateTallyOf,
  refusalsAt,
  replaced,
  type Sequence,
  triesAt,
} from './call-state.ts'
import type { Target } from './candidate.ts'
import { isErrorClass } from './classification.ts'
import type { Failure } from './decision.ts'
import type { Policy } from './policy.ts'

/** The class that decides: an ambiguous failure of an idempotent call counts as `transient` where it has none. */
export function decidingClass(state: CallState, { classification }: Failure): string | undefined {
  if (classification.class === undefined && classification.ambiguous === true && state.idempotent) return 'transient'
  return classification.class
}

/** Folds a failed attempt into the state. */
export function withFailure(policy: Policy, state: CallState, failure: Failure): CallState {
  const { target, classification, generation } = failure
  const decisive = decidingClass(state, failure)
  const known = isErrorClass(decisive) ? decisive : null
  const spent = classification.exhausted === true && known === 'transient'
  const tries = triesAt(state, target, generation) + 1
  const candidates = replaced(state.candidates, target.position, {
    dead: known === 'permanent' || candidateTallyOf(state, target).dead,
    last: known,
    refusals: refusalsAt(state, target, generation) + (known === 'auth_required' ? 1 : 0),
    generation,
  })
  const wide = known === 'permanent' && classification.scope === 'provider'
  return {
    attempts: state.attempts + 1,
    targets: replaced(state.targets, target.index, {
      tries: spent ? Math.max(tries, policy.limits.perTarget) : tries,
      generation,
      readyAtMs: 0,
    }),
    candidates: wide ? withProviderDead(policy, candidates, target.provider) : candidates,
    waitedMs: state.waitedMs,
    reductions: state.reductions,
    idempotent: state.idempotent,
    canReduce: state.canReduce,
    deadlineMs: state.deadlineMs,
    inputTokens: state.inputTokens,
    overflowed: known === 'context_overflow' ? overflowedBy(state, target) : state.overflowed,
    last: target,
    sequence: known === 'transient' ? nextSequence(state.sequence, target) : null,
    chosen: null,
    capped: false,
    paid: null,
    passedOver: state.passedOver,
  }
}

function withProviderDead(
  policy: Policy,
  candidates: readonly CandidateTally[],
  provider: string,
): readonly CandidateTally[] {
  return candidates.map((tally, position) =>
    policy.candidates[position]?.provider === provider ? { ...tally, dead: true, last: 'permanent' } : tally,
  )
}

/** A change of class or target starts the backoff again; a hint does not. */
function nextSequence(last: Sequence | null, target: Target): Sequence {
  return last !== null && last.target === target.index
    ? { target: target.index, repeat: last.repeat + 1, delayMs: last.delayMs }
    : { target: target.index, repeat: 1, delayMs: null }
}

function overflowedBy(state: CallState, target: Target): number | 'unknown' {
  if (target.contextWindow === undefined || state.overflowed === 'unknown') return 'unknown'
  return Math.max(state.overflowed ?? 0, target.contextWindow)
}
