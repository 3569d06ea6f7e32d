import type { ErrorClass } from '../../src/core/classification.ts'
import type { UnknownStrategy } from '../../src/core/strategy.ts'
import { checkOptions } from '../check-options.ts'

/** Options of {@link treatAs}. */
export interface TreatAsOptions {
  /**
   * Seconds: the hint for failures that came without one; a produced hint stands.
   *
   * @defaultValue none: heed's own backoff.
   */
  readonly retryAfterSecs?: number
}

// A record, so that a class added to the type and not here does not compile.
const CLASSES: Readonly<Record<ErrorClass, true>> = {
  transient: true,
  permanent: true,
  auth_required: true,
  context_overflow: true,
}

/**
 * Decides a failure whose class is unknown or absent as if its producer had said `errorClass`.
 *
 * @remarks The caller's own statement, for the `unknown` or the `unclassified` slot: nothing is read from the error.
 * Every other field is kept, `ambiguous` above all: a failure that may have been executed is still not replayed.
 * @throws TypeError for a class outside the contract's set, or a hint that is no number of seconds.
 */
export function treatAs(errorClass: ErrorClass, options: TreatAsOptions = {}): UnknownStrategy {
  if (typeof errorClass !== 'string' || !Object.hasOwn(CLASSES, errorClass)) {
    const known = Object.keys(CLASSES).join(', ')
    throw new TypeError(`treatAs: errorClass is ${String(errorClass)}; give one of ${known}`)
  }
  checkOptions(options, 'treatAs', 'retryAfterSecs')
  const { retryAfterSecs } = options
  if (retryAfterSecs !== undefined && (!Number.isFinite(retryAfterSecs) || retryAfterSecs < 0)) {
    throw new TypeError(`treatAs: retryAfterSecs is ${String(retryAfterSecs)}; give seconds, 0 or more`)
  }
  const hint = retryAfterSecs === undefined ? {} : { retryAfterSecs }
  return (_error, classification) => ({ ...hint, ...classification, class: errorClass })
}
