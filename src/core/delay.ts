import type { Policy } from './policy.ts'
import type { BackoffContext, NoteFault } from './strategy.ts'
import { noteWrong } from './strategy-fault.ts'

/** The spread above a hint: a tenth of it, but never more than this. */
const MAX_SPREAD_MS = 10_000

/** A backoff answered nonsense (NaN, negative, a throw): wait this long rather than spin. */
const FALLBACK_BACKOFF_MS = 1_000

/** The longest time that is still a number of milliseconds: a hint beyond it means never, and its sums must stay finite. */
const LONGEST_MS = 1e300

/** A hint in milliseconds. */
export function hintMs(retryAfterSecs: number): number {
  return Math.min(retryAfterSecs * 1_000, LONGEST_MS)
}

/** Whether a `retry_after_secs` is one: a finite number of seconds, zero included. */
export function isHint(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
}

/** The own backoff of a policy, total even where the strategy is not. */
export function backoffMs(policy: Policy, context: BackoffContext, note?: NoteFault): number {
  try {
    const delayMs = policy.backoff(context)
    if (delayMs >= 0 && delayMs < Number.POSITIVE_INFINITY) return delayMs
    noteWrong(note, 'backoff', delayMs)
    return FALLBACK_BACKOFF_MS
  } catch {
    note?.('backoff', 'threw')
    return FALLBACK_BACKOFF_MS
  }
}

/**
 * The wait before a repeat at the same target: the own backoff, and never below the hint where there is one. The
 * spread above the hint keeps the callers that were told the same time from coming back in the same instant.
 */
export function waitMs(ownMs: number, hintSecs: number | undefined, random: number, clampDown: boolean): number {
  if (hintSecs === undefined || hintSecs === 0) return ownMs
  const spreadMs = spread(hintMs(hintSecs), random)
  return clampDown ? spreadMs : Math.max(ownMs, spreadMs)
}

/** A wait with a spread above it. */
export function spread(floorMs: number, random: number): number {
  return floorMs + random * Math.min(0.1 * floorMs, MAX_SPREAD_MS)
}
