import { withOwnWait } from './advance.ts'
import { triesAt } from './call-state.ts'
import type { AdvanceReason, Decision, Failure } from './decision.ts'
import { backoffMs, isHint, waitMs } from './delay.ts'
import { go, misfit, proceed } from './proceed.ts'
import { affords, anotherSooner, isEligible, readyAtMs, type View, waitFits } from './selection.ts'

/** Waits and repeats where it was, unless another target serves the call better. */
export function afterTransient(view: View, failure: Failure): Decision {
  const { policy, nowMs, state, random } = view
  const { target, classification } = failure
  const repeat = state.sequence?.repeat ?? 1
  const previousDelayMs = state.sequence?.delayMs ?? null
  const ownMs = backoffMs(
    policy,
    previousDelayMs === null ? { repeat, random } : { repeat, random, previousDelayMs },
    view.note,
  )
  const hint = isHint(classification.retryAfterSecs) ? classification.retryAfterSecs : undefined
  const ownReadyAtMs = nowMs + waitMs(ownMs, hint, random, policy.limits.clampDown)
  const own = { backoffMs: ownMs, readyAtMs: Math.max(ownReadyAtMs, readyAtMs(view, target)) }
  const delayMs = Math.max(0, own.readyAtMs - nowMs)
  const reason = notHere(view, failure, delayMs)
  if (reason !== undefined) return proceed({ ...view, state: withOwnWait(state, own) }, reason, own)
  const hinted = own.readyAtMs > nowMs + ownMs
  return go(view, { target, delayMs }, hinted ? 'retry_after' : 'backoff', 'changed', own)
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
  const tooLong = delayMs > limits.switchAfterMs
  return tooLong && anotherSooner(view, target, view.nowMs + delayMs) ? 'switch_after' : undefined
}
