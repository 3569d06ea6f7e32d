import type { CallOptions } from '../options.ts'

/** Refuses what would be ignored or would fail later in a call: cheap, for it is asked of every call. */
export function mustBeCallOptions(
  options: Pick<CallOptions<unknown, unknown>, 'abortSignal' | 'inputTokens' | 'timeoutMs'>,
): void {
  const { abortSignal, inputTokens, timeoutMs } = options
  if (abortSignal !== undefined && typeof abortSignal?.addEventListener !== 'function') {
    throw new TypeError('heed: abortSignal is no AbortSignal; give the signal of an AbortController')
  }
  if ('signal' in options) throw new TypeError('heed: signal is not an option of a call; name it abortSignal')
  if (inputTokens !== undefined) mustCount('inputTokens', inputTokens, 'the number of tokens')
  if (timeoutMs !== undefined) mustCount('timeoutMs', timeoutMs, 'milliseconds, or 0 for none')
}

function mustCount(name: string, value: unknown, instead: string): void {
  if (typeof value !== 'number' || !(value >= 0))
    throw new TypeError(`heed: ${name} is ${String(value)}; give ${instead}`)
}
