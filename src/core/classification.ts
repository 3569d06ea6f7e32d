/**
 * What is known of a failure: the only facts the core may look at.
 *
 * @remarks The class is *produced* by the source of the error (error-class contract v1, "Principle"); nothing in heed
 * derives it from a status, a code or a message.
 */
export interface Classification {
  /**
   * One of {@link ErrorClass}, any other string (passed through untouched), or `undefined` when nobody stated a class.
   */
  readonly class: string | undefined
  /** Seconds; a floor for the next attempt at the same target. `0` is valid and leaves the own backoff. */
  readonly retryAfterSecs?: number | undefined
  /** The request may have been executed, or must not be sent again: never replayed unless declared idempotent. */
  readonly ambiguous?: boolean | undefined
  /** Widens a `permanent` from the candidate to all candidates of its provider. */
  readonly scope?: 'provider' | undefined
  /** A heed below already gave up: advance, do not retry here. */
  readonly exhausted?: boolean | undefined
  /** Diagnostics only. Untrusted; no decision, event or serialized error ever holds it. */
  readonly detail?: unknown
}

/** The closed class set that producers are pinned to (contract, "The closed class set"). */
export type ErrorClass = 'transient' | 'permanent' | 'auth_required' | 'context_overflow'

/** The wire strings in the contract's order; a producer's golden test compares against them. */
export const ERROR_CLASS_WIRE_SET: readonly ErrorClass[] = Object.freeze([
  'transient',
  'permanent',
  'auth_required',
  'context_overflow',
] as const)

/** Whether consumers have a decision for this class. Any other string is passed through. */
export function isErrorClass(value: string | undefined): value is ErrorClass {
  return value === 'transient' || value === 'permanent' || value === 'auth_required' || value === 'context_overflow'
}
