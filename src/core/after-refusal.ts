import type { Decision, Failure } from './decision.ts'
import { providerMark } from './marks.ts'
import { go, pauseFor, proceed, refuse } from './proceed.ts'
import { askAuth, choose, isDeclined, isEligible, isReady, type View } from './selection.ts'

/** The next credential at once; else the provider is blocked and the auth strategy says what this call does. */
export function afterRefusal(view: View, failure: Failure): Decision {
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
      : go(view, { target: next, delayMs: 0 }, 'resumed', 'next_credential')
  }
  switch (askAuth(view, target.provider, choose(view) !== undefined)) {
    case 'pause':
      return pauseFor(view, target, 'auth_required')
    case 'surface':
      return refuse(view)
    case 'advance':
      return proceed(view, 'auth_required')
  }
}
