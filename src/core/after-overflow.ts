import type { Target } from './candidate.ts'
import type { Decision, Failure } from './decision.ts'
import { go, pauseFor, proceed, refuse } from './proceed.ts'
import { type Choice, isEligible, isReady, readyAtMs, type View, waitFits, waitsForHuman } from './selection.ts'
import type { OverflowContext, Window } from './strategy.ts'
import { noteWrong } from './strategy-fault.ts'
import { surface } from './surface.ts'

/** A larger window, a smaller input, or the end: never the same input at a window that is not larger. */
export function afterOverflow(view: View, failure: Failure): Decision {
  const next = overflowTo(view, failure.target)
  if (next === 'reduce') return { kind: 'reduce', reason: 'context_overflow', target: failure.target }
  // The strategy's own word: what it did not consider says nothing of the call.
  if (next === 'surface') return surface(view, 'context_overflow', false)
  if (next === 'select') return proceed(view, 'larger_window')
  const waiting = waitsForHuman(view, next)
  if (waiting === undefined) return go(view, next, 'resumed', 'larger_window')
  return waiting.answer === 'surface' ? refuse(view) : pauseFor(view, waiting.blocked, 'blocked')
}

/**
 * Where an overflow goes: a larger window, `'reduce'`, `'surface'`, or `'select'` where no larger window is within
 * reach and nothing can be reduced, so that selection may still pause for one or come back early.
 */
function overflowTo(view: View, failed: Target): Choice | 'reduce' | 'surface' | 'select' {
  const choices = largerWindows(view)
  const canReduce = view.state.canReduce && view.state.reductions < view.policy.limits.reduce
  const { inputTokens } = view.state
  const answer = ask(view, {
    failed: windowOf(failed),
    eligible: choices.map((choice) => windowOf(choice.target)),
    canReduce,
    ...(inputTokens === null ? undefined : { inputTokens }),
  })
  const chosen = choices.find((choice) => choice.target.candidate === answer)
  if (chosen !== undefined) return chosen
  if (answer === 'reduce' && canReduce) return 'reduce'
  if (answer !== undefined && answer !== 'surface') noteWrong(view.note, 'overflow', answer)
  return answer === undefined && choices.length === 0 ? 'select' : 'surface'
}

/** Each candidate's best target within reach: the ready ones in chain order, then those whose wait fits. */
function largerWindows(view: View): readonly Choice[] {
  const ready: Choice[] = []
  const waiting: Choice[] = []
  for (const target of view.policy.targets) {
    // Eligibility holds the rule itself: after an overflow only a larger known window is eligible.
    if (!isEligible(view, target) || ready.some((choice) => choice.target.position === target.position)) continue
    const delayMs = isReady(view, target) ? 0 : readyAtMs(view, target) - view.nowMs
    if (delayMs === 0) ready.push({ target, delayMs })
    else if (waitFits(view, delayMs)) waiting.push({ target, delayMs })
  }
  const readyLater = waiting.filter((choice) => !ready.some((one) => one.target.position === choice.target.position))
  return [...ready, ...readyLater.sort((one, other) => one.delayMs - other.delayMs)]
}

/** A strategy that throws is one that says nothing. */
function ask(view: View, context: OverflowContext): string | undefined {
  try {
    return view.policy.overflow(context)
  } catch {
    view.note?.('overflow', 'threw')
    return undefined
  }
}

function windowOf(target: Target): Window {
  return target.contextWindow === undefined
    ? { id: target.candidate }
    : { id: target.candidate, contextWindow: target.contextWindow }
}
