import type { Backoff } from '../../core/strategy.ts'
import type { Behaviour } from './behaviour.ts'
import { mustFit, optional, type RulesOf } from './must-fit.ts'
import { retrying, type Throttle } from './retrying.ts'
import { amount, count, fn } from './rules.ts'

/** What {@link grpcThrottle} takes. */
export interface GrpcThrottleOptions {
  /** @defaultValue 10, the usual figure of gRPC's documentation */
  readonly maxTokens?: number
  /** Tokens that a success gives back. @defaultValue 0.1 */
  readonly tokenRatio?: number
  /** @defaultValue 3 */
  readonly retries?: number
  readonly backoff?: Backoff
}

const OPTIONS: RulesOf<GrpcThrottleOptions> = {
  maxTokens: optional(amount),
  tokenRatio: optional(amount),
  retries: optional(count),
  backoff: optional(fn),
}

/**
 * Retry throttling as gRPC does it: every failed attempt takes a token, every success gives a tenth back, and there are
 * retries only while more than half of the tokens are left.
 *
 * @remarks Source: gRPC proposal A6, "Throttling Retry Attempts and Hedged RPCs".
 * @throws TypeError naming the option that is unknown or does not fit.
 */
export function grpcThrottle(options: GrpcThrottleOptions = {}): Behaviour {
  mustFit(options, OPTIONS, 'grpcThrottle')
  const { maxTokens = 10, tokenRatio = 0.1, retries = 3, ...rest } = options
  const throttle = (clients: number): Throttle => {
    const tokens = new Float64Array(clients).fill(maxTokens)
    return {
      allows: ({ client }) => {
        tokens[client] = Math.max(0, (tokens[client] ?? 0) - 1)
        return tokens[client] > maxTokens / 2
      },
      served: ({ client }) => {
        tokens[client] = Math.min(maxTokens, (tokens[client] ?? 0) + tokenRatio)
      },
    }
  }
  return retrying({ name: `gRPC throttle ${maxTokens}/${tokenRatio}`, retries, throttle, ...rest })
}
