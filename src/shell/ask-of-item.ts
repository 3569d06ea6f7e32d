import { isLate } from '../core/thenable.ts'
import type { Call } from './call.ts'

/**
 * Asks the caller's own function about a stream item, else the producer's. Nothing where neither says anything of it,
 * or the function throws or answers later.
 */
export function askOfItem(call: Call, name: 'isContent' | 'isEnd', item: unknown): boolean | undefined {
  const { producer, options } = call
  const own = options[name]
  const fault = (what: 'threw' | 'wrong_type'): undefined => {
    call.malformed(own === undefined ? 'producer' : 'stream', name, what)
  }
  try {
    const answer = own === undefined ? producer?.[name]?.(item) : own(item)
    return isLate(answer) ? fault('wrong_type') : answer
  } catch {
    return fault('threw')
  }
}
