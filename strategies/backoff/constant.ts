import type { Backoff } from '../../src/core/strategy.ts'

/**
 * The same wait before every repeat, without jitter.
 *
 * @remarks For tests, and for a producer with one caller. Callers that failed together come back together: where there
 * are many, take `exponential`.
 * @param delayMs - Milliseconds; `0` for no wait.
 * @throws TypeError for anything but a finite number, 0 or more.
 */
export function constant(delayMs: number): Backoff {
  if (!Number.isFinite(delayMs) || delayMs < 0) {
    throw new TypeError(`constant: delayMs is ${String(delayMs)}; give milliseconds, 0 or more`)
  }
  return () => delayMs
}
