import { goodput, load, recoverySecs } from 'heed/testing'
import { behaviours } from '../behaviours.mjs'
import { brownOut } from '../scenarios.mjs'
import { median, percent, secs } from '../table.mjs'

const FLEETS = [1, 20, 200]

/**
 * What the budgets make of a brown-out, by the number of processes that the same load is spread over.
 * @param {{ readonly seeds: readonly number[], readonly warmSecs: number }} how
 */
export function brownOutTable({ seeds, warmSecs }) {
  return {
    title: `Brown-out of 10 s at half capacity, 80 % load, after ${warmSecs} s of calm; ${FLEETS.join(' / ')} clients, median of ${seeds.length} seeds`,
    head: ['clients', 'load during', 'goodput 30-60 s after', 'seconds to 95 % goodput (worst seed)'],
    rows: behaviours.map((behaviour) => {
      const fleets = FLEETS.map((clients) => {
        const runs = seeds.map((seed) => brownOut({ behaviour, clients, seed, warmSecs }))
        const recoveries = runs.map(({ result, untilSec }) => recoverySecs(result.seconds, untilSec))
        return {
          load: median(runs.map(({ result, fromSec, untilSec }) => load(result.seconds, fromSec, untilSec))).toFixed(2),
          goodput: percent(
            median(runs.map(({ result, untilSec }) => goodput(result.seconds, untilSec + 30, untilSec + 60))),
          ),
          recovery: secs(recoveries),
        }
      })
      const over = (/** @type {'load' | 'goodput' | 'recovery'} */ what) =>
        fleets.map((fleet) => fleet[what]).join(' / ')
      return [behaviour.name, over('load'), over('goodput'), over('recovery')]
    }),
  }
}
