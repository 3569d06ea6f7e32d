import type { OverflowStrategy } from '../../src/core/strategy.ts'

/**
 * Surfaces every overflow: no larger window, no reduction.
 *
 * @remarks For callers that size their input below every window, where an overflow is their estimator's fault and
 * should be seen as that.
 */
export const surface: OverflowStrategy = () => undefined
