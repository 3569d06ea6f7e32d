import type { Backoff } from '../../src/core/strategy.ts'
import { checkOptions } from '../check-options.ts'

/** Options of {@link decorrelatedJitter}. */
export interface DecorrelatedJitterOptions {
  /**
   * Milliseconds, more than 0 (from 0 it would never grow): the shortest wait, unless `maxMs` is shorter.
   *
   * @defaultValue `500`, as for `exponential`.
   */
  readonly baseMs?: number
  /**
   * Milliseconds: no wait is longer. `Infinity` for no limit.
   *
   * @defaultValue `30_000`, as for `exponential`.
   */
  readonly maxMs?: number
}

/**
 * Backoff that grows from the wait before instead of the repeat: between `baseMs` and three times the last wait.
 *
 * @remarks For producers that should never be asked again at once: unlike full jitter it never answers less than
 * `baseMs`. Source: AWS Architecture Blog, "Exponential Backoff And Jitter"; this is not the formula that Polly and
 * cockatiel call by the same name.
 * @returns A backoff in milliseconds: `min(maxMs, baseMs + random * (3 * previous - baseMs))`, where `previous` is
 * `baseMs` for the first repeat; always finite.
 * @throws TypeError for an option that cannot be used, naming it and the fix.
 */
export function decorrelatedJitter(options: DecorrelatedJitterOptions = {}): Backoff {
  checkOptions(options, 'decorrelatedJitter', 'baseMs or maxMs')
  const { baseMs = 500, maxMs = 30_000 } = options
  if (!Number.isFinite(baseMs) || baseMs <= 0) {
    throw new TypeError(`decorrelatedJitter: baseMs is ${String(baseMs)}; give milliseconds, more than 0`)
  }
  if (typeof maxMs !== 'number' || !(maxMs >= 0)) {
    throw new TypeError(`decorrelatedJitter: maxMs is ${String(maxMs)}; give milliseconds, 0 or more, or Infinity`)
  }
  const capMs = Math.min(maxMs, Number.MAX_SAFE_INTEGER)
  return ({ previousDelayMs = baseMs, random }) => {
    // Three times a huge wait is Infinity, and 0 * Infinity would be NaN.
    const previousMs = Math.min(previousDelayMs, Number.MAX_SAFE_INTEGER)
    return Math.min(capMs, baseMs + random * (previousMs * 3 - baseMs))
  }
}
