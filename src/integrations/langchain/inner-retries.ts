type Fields = { readonly [name: string]: unknown }

/** How deep bindings, sequences and fallbacks are looked into. */
const MOST_DEPTH = 8

/**
 * Refuses a model that would try again, or somewhere else, by itself: heed would neither see nor count those requests,
 * and layers of retries multiply. LangChain's models do it six times by default, and how often is theirs from birth:
 * nothing but the one who makes the model can switch it off for every provider.
 *
 * @throws TypeError naming the fix.
 */
export function mustNotRetry(model: unknown, path: string): void {
  const fault = retriesOf(model, MOST_DEPTH)
  if (fault !== undefined) throw new TypeError(`${path} ${fault}`)
}

function retriesOf(model: unknown, depth: number): string | undefined {
  if (typeof model !== 'object' || model === null || depth === 0) return undefined
  const { caller, maxAttemptNumber, fallbacks, bound, steps } = model as Fields
  const { maxRetries } = Object(caller) as Fields
  if (typeof maxRetries === 'number' && maxRetries > 0) {
    return `tries again by itself, up to ${maxRetries} times; make it with { maxRetries: 0 }`
  }
  if (typeof maxAttemptNumber === 'number' && maxAttemptNumber > 1) {
    return 'tries again by itself; give the model without withRetry()'
  }
  if (Array.isArray(fallbacks) && fallbacks.length > 0) {
    return 'has fallbacks of its own; list its models one by one instead of withFallbacks()'
  }
  for (const inner of [bound, ...(Array.isArray(steps) ? steps : [])]) {
    const fault = retriesOf(inner, depth - 1)
    if (fault !== undefined) return fault
  }
  return undefined
}
