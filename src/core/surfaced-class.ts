import { candidateTallyOf } from './call-state.ts'
import type { Target } from './candidate.ts'
import type { ErrorClass } from './classification.ts'
import { isDead } from './death.ts'
import { coolingUntilMs, isRefused, providerMark } from './marks.ts'
import { isDeclined, type View, windowFits } from './selection.ts'

/** What a surfaced error says to the next layer. */
export interface Verdict {
  readonly class?: ErrorClass
  readonly retryAfterSecs?: number
}

/** The best remedy first: what comes back by itself, then what a human, then a larger window can mend. */
const BEST_REMEDY: readonly ErrorClass[] = ['transient', 'auth_required', 'context_overflow', 'permanent']

/**
 * The class of an error made of several outcomes.
 *
 * @param all - Every candidate was considered, so one that was skipped counts by what it was skipped for. Otherwise
 * only those count that were attempted, or stand before one that was.
 */
export function surfacedClass(view: View, all: boolean): Verdict {
  const lastPosition = view.state.last?.position ?? -1
  const considered = view.policy.candidates.filter(
    (candidate) => all || candidate.position < lastPosition || candidateTallyOf(view.state, candidate).last !== null,
  )
  const standings = considered.map((candidate) => ({ candidate, class: standing(view, candidate) }))
  const best = BEST_REMEDY.find((errorClass) => standings.some((each) => each.class === errorClass))
  if (best === undefined) return {}
  if (best !== 'transient') return { class: best }
  const recovering = standings.filter((each) => each.class === 'transient')
  const untilMs = Math.min(...recovering.map((each) => earliestCoolingMs(view, each.candidate)))
  if (untilMs === Number.POSITIVE_INFINITY) return { class: best }
  return { class: best, retryAfterSecs: remainingSecs(untilMs - view.nowMs) }
}

/** Milliseconds as seconds, without the rounding that adding to and subtracting from a clock leaves. */
export function remainingSecs(remainingMs: number): number {
  return remainingMs < 1e9 ? Math.round(remainingMs * 1e6) / 1e9 : Math.round(remainingMs) / 1_000
}

/** How a candidate stands for this call: what cannot change first. */
function standing(view: View, candidate: Target): ErrorClass | undefined {
  const tally = candidateTallyOf(view.state, candidate)
  if (isDead(view, candidate)) return 'permanent'
  if (!windowFits(view.state, candidate)) return 'context_overflow'
  const mark = providerMark(view.marks, candidate.provider)
  const targets = targetsOfCandidate(view, candidate)
  const refused = targets.every((target) => isRefused(mark, target))
  if (mark.blocked || refused || isDeclined(view.state, mark, candidate.provider)) return 'auth_required'
  if (targets.some((target) => coolingUntilMs(view.marks, target) > view.nowMs)) return 'transient'
  return tally.last ?? undefined
}

function earliestCoolingMs(view: View, candidate: Target): number {
  const mark = providerMark(view.marks, candidate.provider)
  const serving = targetsOfCandidate(view, candidate).filter((target) => !isRefused(mark, target))
  const times = serving.map((target) => coolingUntilMs(view.marks, target))
  return Math.min(...times.filter((untilMs) => untilMs > view.nowMs))
}

function targetsOfCandidate(view: View, candidate: Target): readonly Target[] {
  return view.policy.targets.filter((target) => target.position === candidate.position)
}
