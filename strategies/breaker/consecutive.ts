import { ConsecutiveBreaker } from 'cockatiel'
import type { BreakerStrategy } from '../../src/core/strategy.ts'
import { checkOptions } from '../check-options.ts'

/** Options of {@link consecutive}. */
export interface ConsecutiveOptions {
  /**
   * Failures in a row that open the breaker: a whole number, 1 or more. Any success starts again.
   *
   * @defaultValue `5`: more than one call's attempts at a target, so that no single call opens it.
   */
  readonly threshold?: number
  /**
   * Milliseconds that an opened candidate cools before one probe is let through.
   *
   * @defaultValue `30_000`: as long as the longest own wait.
   */
  readonly coolMs?: number
}

/**
 * Opens after so many failures in a row, with cockatiel's `ConsecutiveBreaker` as the counter.
 *
 * @remarks For producers that are either up or down. With steady traffic and a failure rate to judge, take `sampling`.
 * The counter is left over the threshold when it opens, so a failed probe opens again at once.
 * @throws TypeError for an option that cannot be used, naming it and the fix.
 */
export function consecutive(options: ConsecutiveOptions = {}): BreakerStrategy {
  checkOptions(options, 'consecutive', 'threshold or coolMs')
  const { threshold = 5, coolMs = 30_000 } = options
  if (!Number.isSafeInteger(threshold) || threshold < 1) {
    throw new TypeError(`consecutive: threshold is ${String(threshold)}; give a whole number, 1 or more`)
  }
  if (!Number.isFinite(coolMs) || coolMs <= 0) {
    throw new TypeError(`consecutive: coolMs is ${String(coolMs)}; give milliseconds, more than 0`)
  }
  return {
    coolMs,
    counter: () => {
      const breaker = new ConsecutiveBreaker(threshold)
      return { success: () => breaker.success(), failure: () => breaker.failure() }
    },
  }
}
