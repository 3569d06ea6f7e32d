import type { Backoff } from '../../core/strategy.ts'
import type { Behaviour } from './behaviour.ts'
import { mustFit, optional, type RulesOf } from './must-fit.ts'
import { retrying, type Throttle } from './retrying.ts'
import { amount, count, fn, savedUp } from './rules.ts'

/** What {@link awsTokenBucket} takes. */
export interface AwsTokenBucketOptions {
  /** In hand at the start, and at most. @defaultValue 500, as in the AWS SDKs */
  readonly tokens?: number
  /** Tokens that a repeat costs. @defaultValue 14, as in the AWS SDKs' retry behaviour of 2026 (it was 5 before) */
  readonly cost?: number
  /** @defaultValue 3 */
  readonly retries?: number
  readonly backoff?: Backoff
}

const OPTIONS: RulesOf<AwsTokenBucketOptions> = {
  tokens: optional(savedUp),
  cost: optional(amount),
  retries: optional(count),
  backoff: optional(fn),
}

/**
 * The retry quota of the AWS SDKs' standard mode: a repeat takes tokens, a success gives back what the call's last
 * repeat took, or one token where it needed none.
 *
 * @throws TypeError naming the option that is unknown or does not fit.
 */
export function awsTokenBucket(options: AwsTokenBucketOptions = {}): Behaviour {
  mustFit(options, OPTIONS, 'awsTokenBucket')
  const { tokens: most = 500, cost = 14, retries = 3, ...rest } = options
  const throttle = (clients: number): Throttle => {
    const tokens = new Float64Array(clients).fill(most)
    return {
      allows: ({ client }, wanted) => {
        const left = tokens[client] ?? 0
        if (left < cost) return false
        if (wanted) tokens[client] = left - cost
        return true
      },
      served: ({ client, attempts }) => {
        tokens[client] = Math.min(most, (tokens[client] ?? 0) + (attempts > 1 ? cost : 1))
      },
    }
  }
  return retrying({ name: `AWS bucket ${most}`, retries, throttle, ...rest })
}
