import type { AuthStrategy } from '../../src/core/strategy.ts'

/**
 * Surfaces the refusal at once, without a pause and without another provider.
 *
 * @remarks For batch jobs with nobody at hand, and for engines that suspend a run themselves.
 */
export const surface: AuthStrategy = () => 'surface'
