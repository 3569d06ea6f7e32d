import type { OverflowStrategy } from '../../src/core/strategy.ts'

/**
 * Sends the whole input to a larger window; reduces it only when no window is large enough. heed's default.
 *
 * @remarks Nothing of the input is lost while a larger window is at hand, and the contract leaves to the consumer
 * whether a larger bound helps. With `inputTokens` the first eligible window that holds them, without it the first
 * eligible one; else `'reduce'`, else nothing, which surfaces the overflow.
 */
export const largerWindow: OverflowStrategy = ({ eligible, inputTokens, canReduce }) => {
  const next =
    inputTokens === undefined ? eligible[0] : eligible.find(({ contextWindow = 0 }) => contextWindow >= inputTokens)
  return next?.id ?? (canReduce ? 'reduce' : undefined)
}
