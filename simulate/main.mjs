/**
 * `npm run simulate`: heed's own decisions and the usual retry budgets against scripted servers, in virtual time.
 *
 * `--only <table>` prints one table; `--seeds <number>` (5); `--warm <seconds>` of calm before the brown-out (20);
 * `--out <folder>` takes the drawings (simulate/out).
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { draw } from './draw.mjs'
import { markdown } from './table.mjs'
import { brownOutTable } from './tables/brown-out.mjs'
import { budgetTable } from './tables/budget.mjs'
import { outageTable, refusalTable } from './tables/refusals.mjs'
import { scaleTable } from './tables/scale.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seeds: { type: 'string', default: '5' },
    warm: { type: 'string', default: '20' },
    out: { type: 'string', default: join(import.meta.dirname, 'out') },
  },
})
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + 1)
const warmSecs = Number(values.warm)

/** @type {Readonly<Record<string, () => import('./table.mjs').Table>>} */
const tables = {
  'brown-out': () => brownOutTable({ seeds, warmSecs }),
  budget: () => budgetTable({ seeds }),
  outage: outageTable,
  refusals: refusalTable,
  scale: scaleTable,
}

const chosen = values.only === undefined ? Object.keys(tables) : [values.only]
for (const name of chosen) {
  const table = tables[name]
  if (table === undefined) {
    console.error(`There is no table ${name}. There are: ${Object.keys(tables).join(', ')}`)
    process.exit(2)
  }
  console.log(markdown(table()))
}
for (const file of draw({ folder: values.out, seed: 1, warmSecs })) console.log(file)
