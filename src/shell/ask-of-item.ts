import type { Call } from './call.ts'

/**
 * Asks the caller's own function about a stream item, else the producer's. Nothing where neither says anything of it,
 * or the function throws.
 */
export function askOfItem(call: Call, name: 'isContent' | 'isEnd', item: unknown): boolean | undefined {
  const { producer, options } = call
  const own = options[name]
  try {
    return own === undefined ? producer?.[name]?.(item) : own(item)
  } catch {
    call.malformed(own === undefined ? 'producer' : 'stream', name, 'threw')
    return undefined
  }
}
