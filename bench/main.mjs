// Measures heed beside its baselines and its peers. `--quick`, `--json`, `--only <row>`, `--seed <number>`, `--list`.
import { readOptions } from './harness/options.mjs'
import { runTimed } from './harness/run-timed.mjs'
import { sectionOf, summaryOf } from './harness/table.mjs'
import { versions } from './harness/versions.mjs'
import { rowNamed, rows } from './rows/index.mjs'

const options = readOptions()

if (options.list) {
  for (const row of rows) console.log(row.id)
  process.exit()
}

const started = performance.now()
const how = { quick: options.quick, seed: Number(options.seed) }
const results = []
for (const row of options.only?.map(rowNamed) ?? rows) {
  process.stderr.write(`${row.id} …`)
  const from = performance.now()
  try {
    results.push(...(row.run ? await row.run(how) : [await runTimed(row, how)]))
  } catch (error) {
    // The other rows are worth having; the run as a whole has failed.
    results.push({ id: row.id, title: row.title, error: String(error) })
    process.exitCode = 1
  }
  process.stderr.write(` ${((performance.now() - from) / 1_000).toFixed(0)} s\n`)
}

const measured = versions()
if (options.json) {
  console.log(JSON.stringify({ ...measured, ...how, results }))
} else {
  const { heed, ...peers } = measured.packages
  console.log(`## Targets\n\n${summaryOf(results)}\n`)
  for (const result of results) console.log(`${sectionOf(result)}\n`)
  console.log(`heed ${heed} on Node ${measured.node}, ${measured.cpu}; seed ${how.seed}${how.quick ? ', quick' : ''}.`)
  console.log(
    `Peers: ${Object.entries(peers)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
  )
  console.log(
    `Medians over fresh processes (smallest–largest); ${Math.round((performance.now() - started) / 1_000)} s.`,
  )
}
