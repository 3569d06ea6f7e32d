/** Whether a value is a promise, or passes for one. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

/** Whether a function that has to answer at once has answered a promise. It must not be left to reject unheard. */
export function isLate(answer: unknown): boolean {
  try {
    if (!isThenable(answer)) return false
    answer.then(undefined, () => undefined)
  } catch {
    // It is no promise that could reject.
  }
  return true
}
