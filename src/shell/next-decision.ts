import { withOccasion } from '../core/advance.ts'
import { decideFrom } from '../core/decide.ts'
import type { Decision, Occasion } from '../core/decision.ts'
import { fractionOf } from '../core/fraction.ts'
import type { Call } from './call.ts'
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
    random: fractionOf(engine.parts.random),
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
