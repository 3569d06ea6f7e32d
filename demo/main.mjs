/**
 * `npm run demo`: every decision of heed on real HTTP, against fake providers on loopback ports.
 *
 * `--json` prints the events as JSON lines; `--only <name>` plays one scenario; `--plant-mismatch` sends requests that heed
 * knows nothing of, to show that the comparison at the end can fail. Exits 1 if a scenario does not end as it should, or if
 * heed's count of attempts and the servers' count of requests differ anywhere.
 */
import { parseArgs } from 'node:util'
import { jsonLinesFor } from './report/json-lines.mjs'
import { painterFor } from './report/paint.mjs'
import { timelineFor } from './report/timeline.mjs'
import { scenarios } from './scenarios/index.mjs'
import { promptSignIn } from './sign-in.mjs'
import { play } from './stage.mjs'

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    'plant-mismatch': { type: 'boolean', default: false },
  },
})

const chosen = scenarios.filter(({ name }) => options.only === undefined || name === options.only)
if (chosen.length === 0) {
  console.error(`There is no scenario ${options.only}. There are: ${scenarios.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const print = (line) => void process.stdout.write(`${line}\n`)
const complain = (line) => void process.stderr.write(`${line}\n`)
const audience = options.json
  ? jsonLinesFor(print, complain)
  : timelineFor(print, painterFor(process.stdout, process.env))
const signIn = (provider) => promptSignIn(provider, { input: process.stdin, output: process.stdout, say: audience.say })

const results = []
for (const scenario of chosen) {
  audience.open(scenario)
  const result = await play(scenario, { heard: audience.heard, signIn, plantMismatch: options['plant-mismatch'] })
  audience.close(result)
  results.push(result)
}
audience.end(results)

const good = results.every(({ fault, ledger }) => fault === undefined && ledger.every((row) => row.equal))
if (!good) process.exitCode = 1
