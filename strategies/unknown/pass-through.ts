import type { UnknownStrategy } from '../../src/core/strategy.ts'

/**
 * Maps nothing: the failure reaches the caller as the same object, after no further attempt. heed's default, for the
 * `unknown` and the `unclassified` slot.
 *
 * @remarks The contract's open read: a class this version does not know arrives intact, and none is invented where
 * there is none.
 */
export const passThrough: UnknownStrategy = () => undefined
