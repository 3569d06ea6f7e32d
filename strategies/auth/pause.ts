import type { AuthStrategy } from '../../src/core/strategy.ts'

/**
 * Waits for the human who answers the auth prompt, even where another provider is ready. heed's default.
 *
 * @remarks The contract's own decision for `auth_required`: pause and surface an actionable prompt. A silent move to
 * another provider would hide a credential that somebody must renew. The pause is bounded by `maxPauseMs` and the
 * deadline.
 */
export const pause: AuthStrategy = () => 'pause'
