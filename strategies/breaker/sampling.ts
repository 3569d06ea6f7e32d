import { CircuitState, SamplingBreaker } from 'cockatiel'
import type { BreakerStrategy } from '../../src/core/strategy.ts'
import { checkOptions } from '../check-options.ts'

/** Options of {@link sampling}. */
export interface SamplingOptions {
  /**
   * The share of failed attempts over which the breaker opens, between 0 and 1 and neither of them.
   *
   * @defaultValue `0.5`: more fail than succeed.
   */
  readonly threshold?: number
  /**
   * Milliseconds, 5 to a day, over which the share is taken; kept as one count a second, at least five.
   *
   * @defaultValue `30_000`: as long as the breaker cools.
   */
  readonly durationMs?: number
  /**
   * Attempts per second, on average over `durationMs`, below which the breaker stays closed.
   *
   * @defaultValue cockatiel's `5 / threshold`: at a threshold of 0.5 ten a second, 300 attempts in 30 s. Give less
   * where a candidate sees less traffic, or the breaker never opens.
   */
  readonly minimumRps?: number
  /**
   * Milliseconds that an opened candidate cools before one probe is let through.
   *
   * @defaultValue `30_000`: as long as the longest own wait.
   */
  readonly coolMs?: number
}

/**
 * Opens when too large a share of recent attempts failed, with cockatiel's `SamplingBreaker` as the counter.
 *
 * @remarks For steady traffic. Its window reads the wall clock (`Date.now`), not heed's clock, and cockatiel moves it
 * by one step per attempt however long the gap before: after a lull, outcomes older than `durationMs` still count.
 * @throws TypeError for an option that cannot be used, naming it and the fix.
 */
export function sampling(options: SamplingOptions = {}): BreakerStrategy {
  checkOptions(options, 'sampling', 'threshold, durationMs, minimumRps or coolMs')
  const { threshold = 0.5, durationMs = 30_000, minimumRps, coolMs = 30_000 } = options
  if (typeof threshold !== 'number' || !(threshold > 0 && threshold < 1)) {
    throw new TypeError(`sampling: threshold is ${String(threshold)}; give a share above 0 and below 1`)
  }
  // Under 5 ms cockatiel's five windows round to none, and each second costs one window per candidate.
  if (typeof durationMs !== 'number' || !(durationMs >= 5 && durationMs <= 86_400_000)) {
    throw new TypeError(`sampling: durationMs is ${String(durationMs)}; give milliseconds, 5 to 86400000`)
  }
  // cockatiel reads 0 as its default, the opposite of what a caller of 0 wants.
  if (minimumRps !== undefined && (!Number.isFinite(minimumRps) || minimumRps <= 0)) {
    throw new TypeError(`sampling: minimumRps is ${String(minimumRps)}; give attempts per second, more than 0`)
  }
  if (!Number.isFinite(coolMs) || coolMs <= 0) {
    throw new TypeError(`sampling: coolMs is ${String(coolMs)}; give milliseconds, more than 0`)
  }
  const rate = minimumRps === undefined ? {} : { minimumRps }
  return {
    coolMs,
    counter: () => {
      const breaker = new SamplingBreaker({ threshold, duration: durationMs, ...rate })
      // cockatiel asks for the circuit's state, which the caller keeps: once open, the next outcome is the probe's.
      let state = CircuitState.Closed
      return {
        success: () => {
          breaker.success(state)
          state = CircuitState.Closed
        },
        failure: () => {
          const opens = breaker.failure(state)
          state = opens ? CircuitState.HalfOpen : CircuitState.Closed
          return opens
        },
      }
    },
  }
}
