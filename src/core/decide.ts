import { type CallState, decidingClass, triesAt, withOccasion, withOwnWait } from './call-state.ts'
import type { Target } from './candidate.ts'
import { isErrorClass } from './classification.ts'
import type {
  Advance,
  AdvanceReason,
  Decision,
  Failure,
  Occasion,
  Pause,
  Retry,
  Surface,
  SurfaceReason,
} from './decision.ts'
import { backoffMs, isHint, waitMs } from './delay.ts'
import { type Marks, providerMark } from './marks.ts'
import { overflowTo } from './overflow.ts'
import type { Policy } from './policy.ts'
import {
  affords,
  anotherReady,
  askAuth,
  type Choice,
  choose,
  isDeclined,
  isEligible,
  isReady,
  isRepeat,
  joinsPause,
  readyAtMs,
  select,
  type View,
  waitFits,
  windowFits,
} from './selection.ts'
import { surfacedClass } from './surfaced-class.ts'

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
  const { occasion, marks, nowMs } = input
  const view: View = { policy, state: withOccasion(policy, input.state, occasion), marks, nowMs }
  if (occasion.kind === 'failure') return afterFailure(view, occasion, input.random)
  if (pastDeadline(view)) return surface(view, 'deadline', false)
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
        ? go(view, { target: occasion.target, delayMs: 0 }, 'reduced')
        : proceed(view, 'reduced')
    case 'not_reduced':
      return surface(view, 'context_overflow', true)
  }
}

/** The vetoes, in their order; then the class. */
function afterFailure(view: View, failure: Failure, random: number): Decision {
  const { state, policy } = view
  if (failure.aborted === true) return asItCame(view, failure, 'aborted')
  if (failure.committed === true) return asItCame(view, failure, 'committed')
  if (failure.classification.ambiguous === true && !state.idempotent) return asItCame(view, failure, 'ambiguous')
  const decisive = decidingClass(state, failure)
  if (!isErrorClass(decisive)) {
    return asItCame(view, failure, decisive === undefined ? 'unclassified' : 'unknown_class')
  }
  if (state.attempts >= policy.limits.total) return surface(view, 'total_attempts', false)
  if (pastDeadline(view)) return surface(view, 'deadline', false)
  switch (decisive) {
    case 'transient':
      return afterTransient(view, failure, random)
    case 'permanent':
      return proceed(view, 'permanent')
    case 'auth_required':
      return afterRefusal(view, failure)
    case 'context_overflow':
      return afterOverflow(view, failure)
  }
}

function afterTransient(before: View, failure: Failure, random: number): Decision {
  const { policy, nowMs } = before
  const { target, classification } = failure
  const { repeat, delayMs: previousDelayMs } = before.state.sequence ?? { repeat: 1 }
  const ownMs = backoffMs(policy, {
    repeat,
    random,
    ...(previousDelayMs === undefined ? {} : { previousDelayMs }),
  })
  const hint = isHint(classification.retryAfterSecs) ? classification.retryAfterSecs : undefined
  const ownReadyAtMs = nowMs + waitMs(ownMs, hint, random, policy.limits.clampDown)
  const own = { backoffMs: ownMs, readyAtMs: Math.max(ownReadyAtMs, readyAtMs(before, target)) }
  const view = { ...before, state: withOwnWait(before.state, target, own) }
  const delayMs = Math.max(0, own.readyAtMs - nowMs)
  const reason = notHere(view, failure, delayMs)
  if (reason !== undefined) {
    const decision = proceed(view, reason)
    return decision.kind === 'surface' ? decision : { ...decision, own }
  }
  const hinted = own.readyAtMs > nowMs + ownMs
  return {
    kind: 'retry',
    reason: hinted ? 'retry_after' : 'backoff',
    target,
    delayMs,
    ...cost(view, target),
    ...(delayMs === 0 ? probe(view, target) : {}),
    own,
  }
}

/** Why the same target is not repeated after `transient`; nothing where it is. */
function notHere(view: View, failure: Failure, delayMs: number): AdvanceReason | undefined {
  const { limits } = view.policy
  const { target } = failure
  if (failure.classification.exhausted === true) return 'exhausted_below'
  if (triesAt(view.state, target, failure.generation) >= limits.perTarget) return 'attempts_spent'
  if (!affords(view, target)) return 'budget_spent'
  if (!isEligible(view, target)) return 'auth_required'
  if (!waitFits(view, delayMs)) return misfit(view, delayMs)
  return delayMs > limits.switchAfterMs && anotherReady(view, target) ? 'switch_after' : undefined
}

function afterRefusal(view: View, failure: Failure): Decision {
  const { target } = failure
  const mark = providerMark(view.marks, target.provider)
  if (mark.generation !== failure.generation) return proceed(view, 'late_refusal')
  if (isDeclined(view.state, mark, target.provider)) return proceed(view, 'auth_required')
  if (!mark.blocked) {
    const next = view.policy.targets.find(
      (other) => other.position === target.position && isEligible(view, other) && isReady(view, other),
    )
    return next === undefined
      ? proceed(view, 'auth_required')
      : go(view, { target: next, delayMs: 0 }, 'next_credential')
  }
  switch (askAuth(view, target.provider, choose(view) !== undefined)) {
    case 'pause':
      return { kind: 'pause', reason: 'auth_required', provider: target.provider }
    case 'surface':
      return surface(view, 'auth_required', false)
    case 'advance':
      return proceed(view, 'auth_required')
  }
}

function afterOverflow(view: View, failure: Failure): Decision {
  const next = overflowTo(view, failure.target)
  if (next === 'reduce') return { kind: 'reduce', reason: 'context_overflow', target: failure.target }
  if (next === 'surface') return surface(view, 'context_overflow', true)
  if (next === 'select') return proceed(view, 'larger_window')
  const provider = joinsPause(view, next)
  return provider === undefined ? go(view, next, 'larger_window') : { kind: 'pause', reason: 'blocked', provider }
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
  if (chosen !== undefined && isEligible(view, chosen) && (capped === true || isReady(view, chosen))) {
    return go(view, { target: chosen, delayMs: 0 }, 'resumed')
  }
  return proceed(view, 'changed')
}

/** Selects, and goes there, pauses or surfaces. */
function proceed(view: View, reason: AdvanceReason): Advance | Retry | Pause | Surface {
  const { choice, pauseFor } = select(view)
  if (pauseFor !== undefined) return { kind: 'pause', reason: 'blocked', provider: pauseFor }
  return choice === undefined ? surface(view, nobodyLeft(view, reason), true) : go(view, choice, reason)
}

function go(view: View, choice: Choice, reason: AdvanceReason): Advance | Retry {
  const going = { ...choice, ...cost(view, choice.target), ...(choice.delayMs === 0 ? probe(view, choice.target) : {}) }
  if (view.state.last?.index !== choice.target.index) return { kind: 'advance', reason, ...going }
  const again = choice.capped === true ? 'capped' : reason
  return {
    kind: 'retry',
    reason: again === 'capped' || again === 'late_refusal' || again === 'reduced' ? again : 'resumed',
    ...going,
  }
}

function cost(view: View, target: Target): { readonly repeat?: true } {
  const free = view.policy.limits.budget === false || view.state.paid === target.position
  return free || !isRepeat(view.state, target) ? {} : { repeat: true }
}

function probe(view: View, target: Target): { readonly probe?: true } {
  return view.marks.cooling[target.key]?.openUntilMs === undefined ? {} : { probe: true }
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

function surface(view: View, reason: SurfaceReason, all: boolean): Surface {
  return { kind: 'surface', reason, ...surfacedClass(view, all), ...chainDead(view) }
}

function chainDead(view: View): { readonly chainDead?: true } {
  return view.state.candidates.every((tally) => tally.dead) ? { chainDead: true } : {}
}

/** Why selection found nothing: the remedy that a person would look for first. */
function nobodyLeft(view: View, reason: AdvanceReason): SurfaceReason {
  if (view.state.candidates.every((tally) => tally.dead)) return 'all_permanent'
  const waits = view.policy.targets
    .filter((target) => isEligible(view, target))
    .map((target) => readyAtMs(view, target))
  if (waits.length > 0) return misfit(view, Math.min(...waits) - view.nowMs)
  if (reason === 'attempts_spent' || reason === 'budget_spent' || reason === 'exhausted_below') return reason
  const { class: remedy } = surfacedClass(view, true)
  return remedy === 'auth_required' || remedy === 'context_overflow' ? remedy : 'no_candidate'
}

function misfit(view: View, delayMs: number): 'deadline' | 'wait_too_long' {
  const { deadlineMs } = view.state
  return deadlineMs !== undefined && view.nowMs + delayMs >= deadlineMs ? 'deadline' : 'wait_too_long'
}

function pastDeadline(view: View): boolean {
  return view.state.deadlineMs !== undefined && view.nowMs >= view.state.deadlineMs
}
