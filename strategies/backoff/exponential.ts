import type { Backoff } from '../../src/core/strategy.ts'
import { checkOptions } from '../check-options.ts'

/** Options of {@link exponential}. */
export interface ExponentialOptions {
  /**
   * Milliseconds: the longest first wait. `0` means no wait at all.
   *
   * @defaultValue `500`: half of it on average, which a person hardly notices and a restarting server can use.
   */
  readonly baseMs?: number
  /**
   * Milliseconds: no wait is longer, whatever `baseMs` is. `Infinity` for no limit.
   *
   * @defaultValue `30_000`: a longer outage is better answered by the next candidate.
   */
  readonly maxMs?: number
  /**
   * By what the longest wait grows with each repeat; `1` keeps it.
   *
   * @defaultValue `2`, as in the source.
   */
  readonly factor?: number
}

/**
 * Exponential backoff with full jitter: anywhere between no wait and a ceiling that doubles. heed's default.
 *
 * @remarks Full jitter spreads callers that failed together over the whole ceiling, which costs the server the least
 * work of the variants compared in the source. Source: AWS Architecture Blog, "Exponential Backoff And Jitter".
 * @returns A backoff in milliseconds: `random * min(maxMs, baseMs * factor ^ (repeat - 1))`, always finite.
 * @throws TypeError for an option that cannot be used, naming it and the fix.
 */
export function exponential(options: ExponentialOptions = {}): Backoff {
  checkOptions(options, 'exponential', 'baseMs, maxMs or factor')
  const { baseMs = 500, maxMs = 30_000, factor = 2 } = options
  if (!Number.isFinite(baseMs) || baseMs < 0) {
    throw new TypeError(`exponential: baseMs is ${String(baseMs)}; give milliseconds, 0 or more`)
  }
  if (typeof maxMs !== 'number' || !(maxMs >= 0)) {
    throw new TypeError(`exponential: maxMs is ${String(maxMs)}; give milliseconds, 0 or more, or Infinity`)
  }
  if (!Number.isFinite(factor) || factor < 1) {
    throw new TypeError(`exponential: factor is ${String(factor)}; give a number, 1 or more`)
  }
  const capMs = Math.min(maxMs, Number.MAX_SAFE_INTEGER)
  return ({ repeat, random }) => {
    // The power overflows near repeat 1,025, and 0 * Infinity would be NaN.
    const growth = Math.min(factor ** (repeat - 1), Number.MAX_VALUE)
    return random * Math.min(capMs, baseMs * growth)
  }
}
