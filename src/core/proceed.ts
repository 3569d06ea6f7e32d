import type { Target } from './candidate.ts'
import { allDead } from './death.ts'
import type {
  Advance,
  AdvanceReason,
  OwnWait,
  Pause,
  PauseReason,
  Retry,
  RetryReason,
  Surface,
  SurfaceReason,
} from './decision.ts'
import type { Draft } from './draft.ts'
import { providerMark } from './marks.ts'
import { type Choice, isEligible, isRepeat, readyAtMs, select, type View } from './selection.ts'
import { surface } from './surface.ts'
import { surfacedClass } from './surfaced-class.ts'

/** Selects, and goes there, pauses or surfaces. */
export function proceed(view: View, reason: AdvanceReason, own?: OwnWait): Advance | Retry | Pause | Surface {
  const selection = select(view)
  if (selection !== undefined && 'blocked' in selection) {
    if (selection.answer === 'surface') return refuse(view)
    const pause = pauseFor(view, selection.blocked, 'blocked')
    return own === undefined ? pause : { ...pause, own }
  }
  return selection === undefined
    ? surface(view, nobodyLeft(view, reason), true)
    : go(view, selection, again(selection, reason), reason, own)
}

/** Goes to a choice: a retry where the last attempt was made, else an advance. */
export function go(
  view: View,
  choice: Choice,
  retryReason: RetryReason,
  advanceReason: AdvanceReason,
  own?: OwnWait,
): Advance | Retry {
  const { target, delayMs } = choice
  const { policy, state, marks } = view
  const going: Draft<Advance> | Draft<Retry> =
    state.last !== null && state.last.index === target.index
      ? { kind: 'retry', reason: retryReason, target, delayMs }
      : { kind: 'advance', reason: advanceReason, target, delayMs }
  // A repeat that was paid for and not made is not paid for again.
  const free = policy.limits.budget === false || state.paid === target.position
  if (!free && isRepeat(state, target)) going.repeat = true
  if (choice.capped === true) going.capped = true
  if (delayMs === 0 && marks.cooling[target.key]?.openUntilMs !== undefined) going.probe = true
  if (own !== undefined) going.own = own
  return going
}

/** Waits for a human's answer about a target's provider. */
export function pauseFor(view: View, { candidate, provider }: Target, reason: PauseReason): Pause {
  const { generation } = providerMark(view.marks, provider)
  return { kind: 'pause', reason, candidate, provider, generation }
}

/** Surfaces because the auth strategy said so, though another candidate could be taken. */
export function refuse(view: View): Surface {
  return { class: 'auth_required', ...surface(view, 'auth_required', false) }
}

/** Which limit a wait does not fit. */
export function misfit(view: View, delayMs: number): 'deadline' | 'wait_too_long' {
  const { deadlineMs } = view.state
  return deadlineMs !== null && view.nowMs + delayMs >= deadlineMs ? 'deadline' : 'wait_too_long'
}

/** Why selection came back to where the last attempt was made. */
function again(choice: Choice, reason: AdvanceReason): RetryReason {
  if (choice.capped === true) return 'capped'
  return reason === 'late_refusal' || reason === 'reduced' ? reason : 'resumed'
}

/** Why selection found nothing: the remedy that a person would look for first. */
function nobodyLeft(view: View, reason: AdvanceReason): SurfaceReason {
  if (allDead(view)) return 'all_permanent'
  const waits = view.policy.targets
    .filter((target) => isEligible(view, target))
    .map((target) => readyAtMs(view, target))
  if (waits.length > 0) return misfit(view, Math.min(...waits) - view.nowMs)
  if (reason === 'attempts_spent' || reason === 'budget_spent' || reason === 'exhausted_below') return reason
  const { class: remedy } = surfacedClass(view, true)
  return remedy === 'auth_required' || remedy === 'context_overflow' ? remedy : 'no_candidate'
}
