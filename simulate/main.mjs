/**
 * `npm run simulate`: heed's own decisions and the usual retry budgets against scripted servers, in virtual time.
 *
 * `--only <table>` prints one table; `--seeds <number>` (5); `--warm <seconds>` of calm before the brown-out (20);
 * `--out <folder>` takes the drawings (simulate/out). Anything else ends it with 2 before anything is simulated.
 */
import { draw } from './draw.mjs'
import { optionsOf } from './options.mjs'
import { markdown } from './table.mjs'
import { brownOutTable } from './tables/brown-out.mjs'
import { budgetTable } from './tables/budget.mjs'
import { outageTable, refusalTable } from './tables/refusals.mjs'
import { scaleTable } from './tables/scale.mjs'

/** @type {Readonly<Record<string, (how: { readonly seeds: readonly number[], readonly warmSecs: number }) => import('./table.mjs').Table>>} */
const tables = {
  'brown-out': brownOutTable,
  budget: budgetTable,
  outage: outageTable,
  refusals: refusalTable,
  scale: scaleTable,
}

const { only, seeds: many, warmSecs, out } = readOptions()
const seeds = Array.from({ length: many }, (_, index) => index + 1)

for (const [name, table] of Object.entries(tables)) {
  if (only === undefined || only === name) console.log(markdown(table({ seeds, warmSecs })))
}
for (const file of draw({ folder: out, seed: 1, warmSecs })) console.log(file)

function readOptions() {
  try {
    return optionsOf(process.argv.slice(2), Object.keys(tables))
  } catch (error) {
    console.error(`simulate: ${error.message}`)
    process.exit(2)
  }
}
