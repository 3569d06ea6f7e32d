import { withOccasion } from './advance.ts'
import { afterOverflow } from './after-overflow.ts'
import { afterRefusal } from './after-refusal.ts'
import { afterTransient } from './after-transient.ts'
import type { CallState } from './call-state.ts'
import { isErrorClass } from './classification.ts'
import { allDead } from './death.ts'
import type { Decision, Failure, Occasion, Surface, SurfaceReason } from './decision.ts'
import { isHint } from './delay.ts'
import { decidingClass } from './fold-failure.ts'
import type { Marks } from './marks.ts'
import type { Policy } from './policy.ts'
import { go, proceed } from './proceed.ts'
import { isEligible, isReady, type View, windowFits } from './selection.ts'
import type { NoteFault } from './strategy.ts'
import { chainDead, surface } from './surface.ts'

/** All that a decision depends on, as plain JSON values. */
export interface DecideInput {
  readonly occasion: Occasion
  /** The call before the occasion. */
  readonly state: CallState
  /** What all calls know, the occasion included. */
  readonly marks: Marks
  /** Monotonic clock. */
  readonly nowMs: number
  /** In [0, 1). */
  readonly random: number
}

/**
 * What happens next. Pure and total: the same values give the same decision, and nothing that a producer or a
 * strategy answers makes it throw.
 */
export function decide(policy: Policy, input: DecideInput): Decision {
  return decideFrom(policy, withOccasion(policy, input.state, input.occasion), input)
}

/** As {@link decide}, from a state that holds the occasion already. */
export function decideFrom(policy: Policy, state: CallState, input: DecideInput, note?: NoteFault): Decision {
  const { occasion, marks, nowMs, random } = input
  const view: View = { policy, state, marks, nowMs, random, note }
  if (occasion.kind === 'failure') return afterFailure(view, occasion)
  if (pastDeadline(view)) return surface(view, 'deadline', true)
  switch (occasion.kind) {
    case 'start':
      return atStart(view)
    case 'wake':
      return afterWait(view)
    case 'answered':
      return proceed(view, 'resumed')
    case 'unanswered':
      return proceed(view, 'auth_required')
    case 'reduced':
      return isEligible(view, occasion.target) && isReady(view, occasion.target)
        ? go(view, { target: occasion.target, delayMs: 0 }, 'reduced', 'reduced')
        : proceed(view, 'reduced')
    case 'not_reduced':
      return surface(view, 'context_overflow', true)
  }
}

/** The vetoes, in their order; then the class. */
function afterFailure(view: View, failure: Failure): Decision {
  const { state, policy } = view
  if (failure.aborted === true) return asItCame(view, failure, 'aborted')
  if (failure.committed === true) return asItCame(view, failure, 'committed')
  if (failure.classification.ambiguous === true && !state.idempotent) return asItCame(view, failure, 'ambiguous')
  const decisive = decidingClass(state, failure)
  if (!isErrorClass(decisive)) {
    return asItCame(view, failure, decisive === undefined ? 'unclassified' : 'unknown_class')
  }
  if (state.attempts >= policy.limits.total) {
    // The limit is never below the chain's length, so a long chain that is all dead reaches both at once.
    return surface(view, allDead(view) ? 'all_permanent' : 'total_attempts', false)
  }
  if (pastDeadline(view)) return surface(view, 'deadline', false)
  switch (decisive) {
    case 'transient':
      return afterTransient(view, failure)
    case 'permanent':
      return proceed(view, 'permanent')
    case 'auth_required':
      return afterRefusal(view, failure)
    case 'context_overflow':
      return afterOverflow(view, failure)
  }
}

function atStart(view: View): Decision {
  const decision = proceed(view, 'start')
  if (decision.kind !== 'surface' || decision.class !== 'context_overflow') return decision
  const tooSmall = view.policy.candidates.find((candidate) => !windowFits(view.state, candidate))
  // Every window is known to be too small: the caller's own reduce is the remedy, before anything is sent.
  return tooSmall !== undefined && view.state.canReduce && view.policy.limits.reduce > 0
    ? { kind: 'reduce', reason: 'context_overflow', target: tooSmall }
    : decision
}

/** A timer may fire early, and another call may have learned more: the marks are read again. */
function afterWait(view: View): Decision {
  const { chosen, capped } = view.state
  if (chosen !== null && isEligible(view, chosen) && (capped || isReady(view, chosen))) {
    return go(view, { target: chosen, delayMs: 0 }, 'resumed', 'resumed')
  }
  return proceed(view, 'changed')
}

/** A failure that is left as it came, with the class that it came with. */
function asItCame(view: View, failure: Failure, reason: SurfaceReason): Surface {
  const { class: stated, retryAfterSecs } = failure.classification
  return {
    kind: 'surface',
    reason,
    ...(stated === undefined ? {} : { class: stated }),
    ...(isHint(retryAfterSecs) ? { retryAfterSecs } : {}),
    ...chainDead(view),
  }
}

function pastDeadline(view: View): boolean {
  return view.state.deadlineMs !== null && view.nowMs >= view.state.deadlineMs
}
