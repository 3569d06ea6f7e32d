import type { Target } from './candidate.ts'
import type { Advance, AdvanceReason, Pause, Retry, Surface, SurfaceReason } from './decision.ts'
import { type Choice, isEligible, isRepeat, readyAtMs, select, type View } from './selection.ts'
import { surface } from './surface.ts'
import { surfacedClass } from './surfaced-class.ts'

/** Selects, and goes there, pauses or surfaces. */
export function proceed(view: View, reason: AdvanceReason): Advance | Retry | Pause | Surface {
  const { choice, pauseFor } = select(view)
  if (pauseFor !== undefined) return { kind: 'pause', reason: 'blocked', provider: pauseFor }
  return choice === undefined ? surface(view, nobodyLeft(view, reason), true) : go(view, choice, reason)
}

/** Goes to a choice: a retry where the last attempt was made, else an advance. */
export function go(view: View, choice: Choice, reason: AdvanceReason): Advance | Retry {
  const going = { ...choice, ...cost(view, choice.target), ...(choice.delayMs === 0 ? probe(view, choice.target) : {}) }
  if (view.state.last?.index !== choice.target.index) return { kind: 'advance', reason, ...going }
  const again = choice.capped === true ? 'capped' : reason
  return {
    kind: 'retry',
    reason: again === 'capped' || again === 'late_refusal' || again === 'reduced' ? again : 'resumed',
    ...going,
  }
}

/** Whether an attempt takes a repeat from the candidate's retry budget. */
export function cost(view: View, target: Target): { readonly repeat?: true } {
  const free = view.policy.limits.budget === false || view.state.paid === target.position
  return free || !isRepeat(view.state, target) ? {} : { repeat: true }
}

/** Whether an attempt is the probe of a half-open breaker. */
export function probe(view: View, target: Target): { readonly probe?: true } {
  return view.marks.cooling[target.key]?.openUntilMs === undefined ? {} : { probe: true }
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

/** Which limit a wait does not fit. */
export function misfit(view: View, delayMs: number): 'deadline' | 'wait_too_long' {
  const { deadlineMs } = view.state
  return deadlineMs !== undefined && view.nowMs + delayMs >= deadlineMs ? 'deadline' : 'wait_too_long'
}
