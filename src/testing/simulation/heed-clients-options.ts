import type { Policy } from '../../core/policy.ts'
import { mustFit, optional, type RulesOf } from './must-fit.ts'
import { flag, text } from './rules.ts'

/** What {@link heedClients} takes. */
export interface HeedClientsOptions {
  /** @defaultValue `'heed'` */
  readonly name?: string
  /**
   * Whether a client's own timeout may be repeated, as `idempotent` of a guard says: it is ambiguous.
   *
   * @defaultValue `true`: with `false` a timeout surfaces at once, and there is nothing to compare with retry loops.
   */
  readonly idempotent?: boolean
}

const OPTIONS: RulesOf<HeedClientsOptions> = { name: optional(text), idempotent: optional(flag) }

/**
 * Refuses what makes no clients of heed.
 *
 * @throws TypeError naming the path and what to give instead.
 */
export function mustBeHeedClients(policy: Policy, options: HeedClientsOptions): void {
  // What is taken for a policy most easily is the options that one is made of.
  if (!Array.isArray(policy?.targets)) throw new TypeError('heedClients: policy: give what policyOf() makes of options')
  mustFit(options, OPTIONS, 'heedClients')
}
