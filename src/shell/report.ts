import type { DecideInput } from '../core/decide.ts'
import type { Advance, Decision, Failure, Retry } from '../core/decision.ts'
import type { Draft } from '../core/draft.ts'
import { coolingUntilMs, type Marks, providerMark } from '../core/marks.ts'
import type { FailureEvent } from '../health/call-events.ts'
import type { Call } from './call.ts'

/** Tells of a failed attempt. */
export function reportFailure(call: Call, { classification }: Failure, found: FailureEvent['found']): void {
  const { channel } = call.engine
  if (channel.heard.failure === 0) return
  const { class: stated, retryAfterSecs, ambiguous, exhausted } = classification
  const event = call.targetEvent() as Draft<FailureEvent>
  event.number = call.records.length
  if (stated !== undefined) event.class = stated
  if (retryAfterSecs !== undefined) event.retryAfterSecs = retryAfterSecs
  if (ambiguous === true) event.ambiguous = true
  if (exhausted === true) event.exhausted = true
  if (found !== undefined) event.found = found
  channel.emit('failure', event)
}

/** Tells what a failure did to the marks. */
export function reportMarks(call: Call, nowMs: number, before: Marks, after: Marks): void {
  if (before === after) return
  const { target } = call
  const { channel, store } = call.engine
  // A listener may have revived it already.
  if (before.cooling !== after.cooling && store.current.cooling[target.key] !== undefined) {
    const forMs = coolingUntilMs(after, target) - nowMs
    channel.emit('cooling', { ...call.targetEvent(), source: 'hint', forMs })
  }
  const [then, now] = [providerMark(before, target.provider), providerMark(after, target.provider)]
  if (then.refused.length === 0 && now.refused.length > 0) {
    call.engine.parts.desk.prompt({
      ...call.targetEvent(),
      generation: now.generation,
      refused: Object.freeze(now.refused.filter((id) => id !== '')),
      blocking: now.blocked,
    })
  }
}

/** A decision with all that it depended on. */
export interface RecordedDecision {
  readonly input: DecideInput
  readonly decision: Decision
}

/**
 * Copies a decision before anything follows from it, where somebody listens: the budgets go on changing, and a listener
 * must be able to spoil neither the call nor what the next listener sees.
 */
export function recordDecision(call: Call, input: DecideInput, decision: Decision): RecordedDecision | undefined {
  if (call.engine.channel.heard.decision === 0) return undefined
  return deepFrozen(structuredClone({ input, decision }))
}

/** Tells what was decided. The end of a call is told when it ends. */
export function reportDecision(call: Call, input: DecideInput, decision: Decision, recorded?: RecordedDecision): void {
  const { channel, policy } = call.engine
  if (recorded !== undefined) channel.emit('decision', { ...call.callEvent(), policy, ...recorded })
  switch (decision.kind) {
    case 'retry':
    case 'advance':
      if (!goesOnAsDecided(input, decision)) reportGoing(call, input, decision)
      break
    case 'pause': {
      const { candidate, provider, reason } = decision
      const maxMs = Math.min(policy.limits.maxPauseMs, Math.max(0, call.deadlineMs - input.nowMs))
      channel.emit('pause', { ...call.callEvent(), candidate, provider, reason, maxMs })
      break
    }
    case 'reduce': {
      const reduction = (call.state?.reductions ?? 0) + 1
      channel.emit('reduce', { ...call.targetEvent(decision.target), reduction })
      break
    }
    case 'surface':
      break
  }
}

/** A wait that ends where it was to end, and a call that starts where it was to start, are no news. */
function goesOnAsDecided(input: DecideInput, decision: Retry | Advance): boolean {
  if (decision.delayMs > 0) return false
  if (input.occasion.kind === 'wake') return input.state.chosen?.index === decision.target.index
  return input.occasion.kind === 'start' && decision.target.index === 0
}

function reportGoing(call: Call, input: DecideInput, decision: Retry | Advance): void {
  const { channel } = call.engine
  if (channel.heard[decision.kind] === 0) return
  const { occasion } = input
  const said = occasion.kind === 'failure' ? occasion.classification : undefined
  const going = {
    ...call.targetEvent(decision.target),
    delayMs: decision.delayMs,
    ...(said?.class === undefined ? {} : { class: said.class }),
    ...(said?.retryAfterSecs === undefined ? {} : { retryAfterSecs: said.retryAfterSecs }),
  }
  if (decision.kind === 'retry') {
    channel.emit('retry', { ...going, reason: decision.reason })
    return
  }
  const from = call.records.length === 0 ? undefined : call.target.candidate
  channel.emit('advance', { ...going, reason: decision.reason, ...(from === undefined ? {} : { from }) })
}

function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) deepFrozen(part)
  return Object.freeze(value)
}
