import type { Failure } from '../core/decision.ts'
import type { BreakerCounter } from '../core/strategy.ts'
import { isLate } from '../core/thenable.ts'
import type { Call } from './call.ts'

/** Counts a success. */
export function countSuccess(call: Call): void {
  ask(call, (counter) => counter.success())
}

/**
 * Counts a failure that the candidate may recover from by itself, or that nobody knows the end of; where the breaker
 * opens, the candidate cools for all calls. Where a probe ends in any other way another may go.
 */
export function countFailure(call: Call, { classification }: Failure, nowMs: number): void {
  const { engine, target } = call
  const { breaker } = engine.parts
  if (call.aborted || (classification.class !== 'transient' && classification.ambiguous !== true)) {
    if (nowMs < call.probeUntilMs) engine.store.observe(engine.policy, { kind: 'unproven', target, nowMs })
    return
  }
  if (breaker === undefined) return
  if (ask(call, (counter) => counter.failure()) !== true) return
  const coolMs = engine.store.flapping.coolMs(target.candidate, breaker.coolMs, nowMs)
  engine.store.observe(engine.policy, { kind: 'opened', target, coolMs, nowMs })
  engine.channel.emit('cooling', { ...call.targetEvent(), source: 'breaker', forMs: coolMs })
}

/** Asks the candidate's counter; one that throws has counted nothing. */
function ask<T>(call: Call, question: (counter: BreakerCounter) => T): T | undefined {
  const { engine, target, probeUntilMs } = call
  const { breaker } = engine.parts
  // While a breaker is open only its probe says anything: an attempt from before would pass for one.
  const open = engine.store.current.cooling[target.key]?.openUntilMs !== undefined
  if (breaker === undefined || (open && probeUntilMs === 0)) return undefined
  try {
    const answer = question(engine.store.breakerOf(target.candidate, breaker))
    if (!isLate(answer)) return answer
    call.malformed('strategy', 'breaker', 'wrong_type')
  } catch {
    call.malformed('strategy', 'breaker', 'threw')
  }
  return undefined
}
