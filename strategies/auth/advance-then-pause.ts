import type { AuthStrategy } from '../../src/core/strategy.ts'

/**
 * Goes on with another provider while there is one, and waits for the human only when none is left.
 *
 * @remarks For services where an answer from the second choice beats a late one. The prompt is raised all the same.
 */
export const advanceThenPause: AuthStrategy = ({ otherProviderEligible }) =>
  otherProviderEligible ? 'advance' : 'pause'
