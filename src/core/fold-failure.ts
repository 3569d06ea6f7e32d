import { type CallState, type CandidateTally, refusalsAt, replaced, triesAt } from './call-state.ts'
import type { Target } from './candidate.ts'
import { isErrorClass } from './classification.ts'
import type { Failure } from './decision.ts'
import type { Policy } from './policy.ts'

/** The class that decides: an ambiguous failure of an idempotent call counts as `transient` where it has none. */
export function decidingClass(state: CallState, failure: Failure): string | undefined {
  const { classification } = failure
  if (classification.class === undefined && classification.ambiguous === true && state.idempotent) return 'transient'
  return classification.class
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

/** A change of class or target starts the backoff again; a hint does not. */
function nextSequence(last: CallState['sequence'], target: Target): NonNullable<CallState['sequence']> {
  return last?.target === target.index ? { ...last, repeat: last.repeat + 1 } : { target: target.index, repeat: 1 }
}

function overflowedBy(state: CallState, target: Target): number | 'unknown' {
  if (target.contextWindow === undefined || state.overflowed === 'unknown') return 'unknown'
  return Math.max(state.overflowed ?? 0, target.contextWindow)
}
