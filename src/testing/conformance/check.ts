/**
 * Ends a conformance case where `holds` is false.
 *
 * @param message - Made only when needed: suites ask a strategy tens of thousands of times.
 */
export function check(holds: boolean, message: () => string): asserts holds {
  if (!holds) throw new Error(message())
}

/** A value for a message; never throws, whatever a strategy answered. */
export function show(value: unknown): string {
  try {
    return typeof value === 'object' ? (JSON.stringify(value) ?? 'undefined') : String(value)
  } catch {
    return 'an object that cannot be shown'
  }
}
