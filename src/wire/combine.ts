import { type Classification, isErrorClass } from '../core/classification.ts'
import { isHint } from '../core/delay.ts'

/**
 * What the wire and an adapter say together. A known class on the wire beats the adapter's; the adapter beats an
 * unknown string. `ambiguous` and `scope` are the adapter's, and so is the hint where the wire has none.
 */
export function combine(wire: Classification, adapter: Classification | undefined): Classification {
  if (adapter === undefined) return wire
  const stated = isErrorClass(wire.class) ? wire.class : (aliased(adapter.class) ?? wire.class)
  const hint = wire.retryAfterSecs ?? adapter.retryAfterSecs
  return {
    class: stated,
    ...(isHint(hint) ? { retryAfterSecs: hint } : undefined),
    ...(adapter.ambiguous === true ? { ambiguous: true } : undefined),
    ...(adapter.scope === 'provider' ? { scope: adapter.scope } : undefined),
    ...(wire.exhausted === true || adapter.exhausted === true ? { exhausted: true } : undefined),
    ...(adapter.detail === undefined ? undefined : { detail: adapter.detail }),
  }
}

/** A class as read: the old spelling of `auth_required`, and nothing but strings. */
function aliased(stated: unknown): string | undefined {
  if (stated === 'auth') return 'auth_required'
  return typeof stated === 'string' ? stated : undefined
}
