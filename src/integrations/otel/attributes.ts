import { isErrorClass } from '../../core/classification.ts'
import type { FailureEvent, SurfaceEvent, TargetEvent } from '../../health/call-events.ts'

/** The only values that attributes have: ids of yours, words of heed's own closed lists, counts and seconds. */
export type Attributes = Record<string, string | number>

/** How a call or an attempt ended. */
export type Ending = 'served' | 'failed' | 'suspended' | 'cancelled'

/** A class as it may be reported: a string from outside is untrusted and unbounded, so one that is not in the set is `other`. */
export function classOf({ class: stated }: { readonly class?: string }): Attributes {
  return stated === undefined ? {} : { 'heed.class': isErrorClass(stated) ? stated : 'other' }
}

/** A candidate and whose it is, as the GenAI conventions (semantic-conventions-genai, in development) name the latter. */
export function targetOf({ candidate, provider }: Pick<TargetEvent, 'candidate' | 'provider'>): Attributes {
  return { 'heed.candidate': candidate, 'gen_ai.provider.name': provider }
}

/** `error.type` of a failed attempt: its class, else what heed found, else the conventions' word for all else. */
export function errorOf({ class: stated, found }: Pick<FailureEvent, 'class' | 'found'>): Attributes {
  return { 'error.type': isErrorClass(stated) ? stated : (found ?? '_OTHER') }
}

/** How a call that surfaced ended. */
export function endingOf({ reason, class: stated }: SurfaceEvent): Ending {
  if (reason === 'aborted') return 'cancelled'
  return stated === 'auth_required' ? 'suspended' : 'failed'
}

/** The conventions measure in seconds. */
export function secondsOf(ms: number): number {
  return ms / 1_000
}
