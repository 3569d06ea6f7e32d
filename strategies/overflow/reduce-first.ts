import type { OverflowStrategy } from '../../src/core/strategy.ts'
import { largerWindow } from './larger-window.ts'

/**
 * Reduces the input for the candidate that overflowed; takes a larger window only when nothing can be reduced.
 *
 * @remarks For chains whose larger windows cost more, or answer worse, than a shorter input does.
 */
export const reduceFirst: OverflowStrategy = (context) => (context.canReduce ? 'reduce' : largerWindow(context))
