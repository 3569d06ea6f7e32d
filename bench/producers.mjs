// Measures `classify` of every family on the real answers that its tests use, against `JSON.parse` of the same bodies.
// `--quick`, `--json`, `--only <family>` (repeat it for more), `--seed <number>`. Needs the built package and nothing of
// bench/node_modules. A target, not a budget: what is missed is shown, and the process still exits 0.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { importHeed } from './harness/built-heed.mjs'
import { inFreshProcess, TIMING } from './harness/children.mjs'
import { stepping } from './harness/fresh-loop.mjs'
import { interleaved } from './harness/rounds.mjs'
import { spread } from './harness/spread.mjs'

const TARGET = 2
/** How many inputs a loop takes. */
const INPUTS = 16
const env = { nowMs: 1_790_000_000_000 }

const answers = (name) =>
  readFileSync(new URL(`../test/producers/data/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** The cases of each family: the facts of an answer, as a transport would give them. */
const casesByFamily = () => {
  const cases = new Map()
  for (const { producer, provider = producer, status = null, headers = {}, body } of [
    ...answers('answers.jsonl'),
    ...answers('stated.jsonl'),
  ]) {
    cases.set(provider, [...(cases.get(provider) ?? []), { status, headers, body }])
  }
  return cases
}

/** Groups of as many inputs as a loop takes, the last one filled up from the beginning. */
const groupsOf = (cases) =>
  Array.from({ length: Math.ceil(cases.length / INPUTS) }, (_, group) =>
    Array.from({ length: INPUTS }, (_, index) => cases[(group * INPUTS + index) % cases.length]),
  )

/** One family in this process: nanoseconds per case of both. */
const measure = async ({ family, ...how }) => {
  const { producers } = await importHeed('heed/producers')
  const { classify } = producers[family]
  const batches = {}
  const groups = groupsOf(casesByFamily().get(family))
  for (const [index, group] of groups.entries()) {
    const texts = group.map(({ body }) => JSON.stringify(body))
    batches[`parse ${index}`] = stepping((text) => JSON.parse(text) ?? true, texts)
    batches[`classify ${index}`] = stepping((facts) => classify(facts, env), group)
  }
  const perCall = await interleaved(batches, how)
  const mean = (what) => groups.reduce((sum, _, index) => sum + perCall[`${what} ${index}`], 0) / groups.length
  return { classify: mean('classify'), parse: mean('parse') }
}

/** The warm-up is long: an adapter has many small functions, and what a cold one costs is another question. */
const report = async (options) => {
  const { processes, rounds, warmMs } = options.quick
    ? { processes: 1, rounds: 7, warmMs: 300 }
    : { processes: 3, rounds: 15, warmMs: 500 }
  const lines = []
  for (const [family, cases] of casesByFamily()) {
    if (options.only !== undefined && !options.only.includes(family)) continue
    const runs = []
    for (let index = 0; index < processes; index++) {
      const task = { family, seed: Number(options.seed) + index, rounds, warmMs }
      runs.push(await inFreshProcess('../producers.mjs', task, TIMING))
    }
    const ratio = spread(runs.map((run) => run.classify / run.parse))
    lines.push({ family, cases: cases.length, classify: spread(runs.map((run) => run.classify)), ratio })
  }
  return lines.sort((left, right) => left.ratio.median - right.ratio.median)
}

const table = (lines) =>
  [
    `| family | cases | ns/case | × JSON.parse (target ${TARGET}) | |`,
    '| --- | ---: | ---: | ---: | --- |',
    ...lines.map(({ family, cases, classify, ratio }) => {
      const range = `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`
      const verdict = ratio.median <= TARGET ? 'met' : '**missed**'
      return `| ${family} | ${cases} | ${Math.round(classify.median)} | ${range} | ${verdict} |`
    }),
  ].join('\n')

if (process.argv[2]?.startsWith('{')) {
  console.log(JSON.stringify(await measure(JSON.parse(process.argv[2]))))
} else {
  const { values: options } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      seed: { type: 'string', default: '1' },
    },
  })
  const lines = await report(options)
  console.log(options.json ? JSON.stringify(lines) : table(lines))
}
