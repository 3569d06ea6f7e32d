// Measures one group of one row in this process: its baselines with it. Prints JSON.
import { bytesPerCall } from '../harness/allocation.mjs'
import { interleaved } from '../harness/rounds.mjs'
import { rowNamed } from '../rows/index.mjs'

const { rowId, group, seed, rounds } = JSON.parse(process.argv[2])
const row = rowNamed(rowId)

const batches = {}
for (const name of [...row.baselines, ...group]) batches[name] = await row.prepare(name)
const nanoseconds = await interleaved(batches, { seed, rounds })
const bytes = {}
for (const [name, batch] of Object.entries(batches)) bytes[name] = await bytesPerCall(batch)

console.log(JSON.stringify({ nanoseconds, bytes }))
