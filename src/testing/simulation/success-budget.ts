import type { Backoff } from '../../core/strategy.ts'
import type { Behaviour } from './behaviour.ts'
import { mustFit, optional, type RulesOf } from './must-fit.ts'
import { retrying, type Throttle } from './retrying.ts'
import { count, fn, savedUp } from './rules.ts'

/** What {@link successBudget} takes. */
export interface SuccessBudgetOptions {
  /** Most repeats saved up. @defaultValue 10 */
  readonly cap?: number
  /** Repeats in hand at the start. @defaultValue 1 */
  readonly start?: number
  /** Repeats earned by each success. @defaultValue 0.1 */
  readonly deposit?: number
  /** Most repeats of a call. @defaultValue 2, as heed's three attempts at a target */
  readonly retries?: number
  readonly backoff?: Backoff
}

const OPTIONS: RulesOf<SuccessBudgetOptions> = {
  cap: optional(savedUp),
  start: optional(savedUp),
  deposit: optional(savedUp),
  retries: optional(count),
  backoff: optional(fn),
}

/**
 * A retry loop with a budget like heed's but for one thing: attempts that serve pay in, not those that are made.
 *
 * @throws TypeError naming the option that is unknown or does not fit.
 */
export function successBudget(options: SuccessBudgetOptions = {}): Behaviour {
  mustFit(options, OPTIONS, 'successBudget')
  const { cap = 10, start = 1, deposit = 0.1, retries = 2, ...rest } = options
  const throttle = (clients: number): Throttle => {
    const saved = new Float64Array(clients).fill(start)
    return {
      allows: ({ client }, wanted) => {
        const left = saved[client] ?? 0
        // Ten deposits of 0.1 are a hair under 1.
        if (left < 1 - 1e-6) return false
        if (wanted) saved[client] = Math.max(0, left - 1)
        return true
      },
      served: ({ client }) => {
        saved[client] = Math.min(cap, (saved[client] ?? 0) + deposit)
      },
    }
  }
  return retrying({ name: `${deposit} a success, cap ${cap}, start ${start}`, retries, throttle, ...rest })
}
