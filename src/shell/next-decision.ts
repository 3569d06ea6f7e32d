import { withOccasion } from '../core/advance.ts'
import { decideFrom } from '../core/decide.ts'
import type { Decision, Occasion } from '../core/decision.ts'
import type { Call } from './call.ts'
import type { Engine } from './engine.ts'
import { recordDecision, reportDecision } from './report.ts'

/** Decides what an occasion leads to and folds that into the call. It is told before it is acted upon. */
export function nextDecision(call: Call, occasion: Occasion): Decision {
  const { engine } = call
  const { policy, store } = engine
  const state = call.stateNow()
  if (occasion.kind !== 'failure') call.nowMs = engine.clock.now()
  const { nowMs } = call
  const input = {
    occasion,
    state,
    marks: store.marks,
    nowMs,
    random: fraction(engine),
  }
  // What `decide` and `advance` do, with the occasion folded in once for both.
  const folded = withOccasion(policy, state, occasion)
  call.decidedAt = store.version
  const decision = decideFrom(policy, folded, input, call.noteFault)
  call.state = folded
  call.decided = decision
  const recorded = recordDecision(call, input, decision)
  const { budget } = policy.limits
  // Paid when it is decided, so that concurrent calls cannot spend the same repeat.
  if ('repeat' in decision && budget !== false) store.charge(decision.target.candidate, budget)
  reportDecision(call, input, decision, recorded)
  return decision
}

/** A random source of the user's that throws or answers nonsense spreads nothing. */
function fraction(engine: Engine): number {
  try {
    const random = engine.parts.random()
    return random >= 0 && random < 1 ? random : 0
  } catch {
    return 0
  }
}
