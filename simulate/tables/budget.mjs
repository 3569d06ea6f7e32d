import { recoverySecs } from 'heed/testing'
import { defaultBudget, heedWith, named } from '../behaviours.mjs'
import { brownOut, scripts } from '../scenarios.mjs'
import { percent, secs } from '../table.mjs'

const STARTS = [0, 1, 5, 10].map((start) => ({ ...defaultBudget, start }))
const CAPS = [2, 3, 10].map((cap) => ({ ...defaultBudget, cap }))
const DEPOSITS = [0.05, 0.2].map((deposit) => ({ ...defaultBudget, deposit }))

/** @type {readonly (import('heed').BudgetOptions | false)[]} */
const BUDGETS = [false, defaultBudget, ...STARTS, ...CAPS, ...DEPOSITS]

/** @param {number} share @returns {import('heed/testing').Phase} */
const flaky = (share) => ({ kind: 'flaky', fromMs: 0, untilMs: Number.POSITIVE_INFINITY, share })

/**
 * What heed's budget is worth to a script, and what it costs a fleet.
 * @param {{ readonly seeds: readonly number[] }} how
 */
export function budgetTable({ seeds }) {
  const recovery = (
    /** @type {import('heed/testing').Behaviour} */ behaviour,
    /** @type {number} */ clients,
    /** @type {number} */ warmSecs,
  ) =>
    secs(
      seeds.map((seed) => {
        const { result, untilSec } = brownOut({ behaviour, clients, seed, warmSecs })
        return recoverySecs(result.seconds, untilSec)
      }),
    )
  return {
    title: 'Budgets of heed: recovery from the brown-out, and calls served to scripts of 20 calls at a flaky server',
    head: ['budget', '1', '20', '200 clients', '200, 600 s of calm before', '2 % fail', '5 % fail', '10 % fail'],
    rows: BUDGETS.map((budget) => {
      const behaviour = heedWith(budget)
      return [
        budget === false ? 'none' : named(budget),
        ...[1, 20, 200].map((clients) => recovery(behaviour, clients, 20)),
        recovery(behaviour, 200, 600),
        ...[0.02, 0.05, 0.1].map((share) => {
          const { served, calls } = scripts(behaviour, flaky(share))
          return percent(served / calls, 1)
        }),
      ]
    }),
  }
}
