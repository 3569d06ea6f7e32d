import { type Surface, surfacesAsItCame } from '../core/decision.ts'
import { HeedError } from '../errors.ts'
import type { Call } from './call.ts'

/** A call that surfaced. */
export interface Unserved {
  readonly ok: false
  readonly error: unknown
  /** The failure is an answer that is passed on as it came: to be delivered, not thrown. */
  readonly answer: boolean
  readonly surface: Surface
  /** A retry layer gave up: heed itself, or one below that said so. */
  readonly exhausted: boolean
}

/** How a call ended: a value, never a throw. */
export type Ended<T> = { readonly ok: true; readonly value: T } | Unserved

/** The caller has aborted. */
export const ABORTED: Surface = Object.freeze({ kind: 'surface', reason: 'aborted' })

/** Ends a call without a value, and tells. */
export function end(call: Call, decided: Surface): Unserved {
  // A listener may have aborted while it was told of the failure: then that is how the call ends.
  const surface = call.aborted ? ABORTED : ownFindingAlone(call, decided)
  const { channel, policy } = call.engine
  const { failure } = call
  const found = failure?.found
  const ownFinding =
    found !== undefined && found !== 'aborted' && (surfacesAsItCame(surface.reason) || found === 'timeout')
  const reason = ownFinding && surface.reason !== 'aborted' ? found : surface.reason
  const stated = surface.class === undefined ? {} : { class: surface.class }
  if (surface.reason === 'unknown_class' || surface.reason === 'unclassified') {
    channel.emit('passthrough', { ...call.targetEvent(), reason: surface.reason, ...stated })
  }
  if (surface.chainDead === true) {
    channel.emit('chain_dead', {
      ...call.callEvent(),
      candidate: call.target.candidate,
      candidates: Object.freeze(policy.candidates.map((each) => each.candidate)),
    })
  }
  if (channel.heard.surface > 0) {
    channel.emit('surface', {
      ...call.callEvent(),
      candidate: call.target.candidate,
      reason,
      ...stated,
      ...(surface.retryAfterSecs === undefined ? {} : { retryAfterSecs: surface.retryAfterSecs }),
      attempts: call.records.length,
    })
  }
  if (surface.reason === 'aborted')
    return { ok: false, error: call.abortReason, answer: false, surface, exhausted: false }
  if (failure !== undefined && (ownFinding || surfacesAsItCame(surface.reason))) {
    const exhausted = call.lastClassification?.exhausted === true
    return { ok: false, error: failure.error, answer: failure.answered !== undefined, surface, exhausted }
  }
  return { ok: false, error: composed(call, surface), answer: false, surface, exhausted: true }
}

function composed(call: Call, surface: Surface): HeedError {
  const cause = call.reduceError === undefined ? call.failure?.error : call.reduceError.error
  return new HeedError({
    reason: surface.reason as HeedError['reason'],
    ...(surface.class === undefined ? {} : { class: surface.class }),
    ...(surface.retryAfterSecs === undefined ? {} : { retryAfterSecs: surface.retryAfterSecs }),
    exhausted: true,
    attempts: call.records,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** A call that its own deadline cut has nobody's class, whatever would have decided about a repeat. */
function ownFindingAlone(call: Call, decided: Surface): Surface {
  if (call.failure?.found !== 'timeout') return decided
  const { kind, reason, chainDead } = decided
  return chainDead === undefined ? { kind, reason } : { kind, reason, chainDead }
}
