// The same scenarios with heed and with its peers, over real HTTP: `--quick`, `--json`, `--only <subject>`, `--seed <number>`, `--list`.
import { cpus } from 'node:os'
import { readOptions } from './harness/options.mjs'
import { installedVersion } from './peers-table/harness/installed.mjs'
import { behaviours, overheadsOf } from './peers-table/harness/run-subjects.mjs'
import { reportOf } from './peers-table/harness/tables.mjs'
import { subjectIds } from './peers-table/subjects/index.mjs'

const options = readOptions()

if (options.list) {
  for (const id of subjectIds) console.log(id)
  process.exit()
}
for (const id of options.only ?? []) {
  if (!subjectIds.includes(id)) throw new Error(`${id} is not one of ${subjectIds.join(', ')}`)
}

const startedMs = performance.now()
const tookSecs = () => Math.round((performance.now() - startedMs) / 1_000)
const tell = (what) => process.stderr.write(`${what}: ${tookSecs()} s\n`)
const how = { quick: options.quick, seed: Number(options.seed) }

const subjects = await behaviours(options.only ?? subjectIds, tell)
const ratios = await overheadsOf(subjects, how, tell)
if (subjects.some(({ error }) => error)) process.exitCode = 1

const names = [...new Set(subjects.flatMap(({ packages }) => packages))]
const report = {
  node: process.version,
  cpu: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  versions: Object.fromEntries(names.map((name) => [name, installedVersion(name)])),
  ...how,
  tookSecs: tookSecs(),
  subjects,
  ratios,
}
for (const { id, error } of subjects) if (error) process.stderr.write(`${id}: ${error}\n`)
console.log(options.json ? JSON.stringify(report) : reportOf(report))
