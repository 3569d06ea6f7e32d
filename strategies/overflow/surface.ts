import type { OverflowStrategy } from '../../src/core/strategy.ts'

/**
 * Surfaces every overflow at once: no larger window, no reduction, no wait for either.
 *
 * @remarks For callers that size their input below every window, where an overflow is their estimator's fault and
 * should be seen as that.
 */
export const surface: OverflowStrategy = () => 'surface'
