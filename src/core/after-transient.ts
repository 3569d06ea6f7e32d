import { withOwnWait } from './advance.ts'
import { triesAt } from './call-state.ts'
import type { AdvanceReason, Decision, Failure } from './decision.ts'
import { backoffMs, isHint, waitMs } from './delay.ts'
import { cost, misfit, probe, proceed } from './proceed.ts'
import { affords, anotherReady, isEligible, readyAtMs, type View, waitFits } from './selection.ts'

/** Waits and repeats where it was, unless another target serves the call better. */
export function afterTransient(before: View, failure: Failure, random: number): Decision {
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
