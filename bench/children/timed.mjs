// Measures one group of one row in this process: its baselines with it. Prints JSON.
import { interleaved } from '../harness/rounds.mjs'
import { preparedGroup } from '../rows/index.mjs'

const { rowId, group, ...how } = JSON.parse(process.argv[2])
console.log(JSON.stringify(await interleaved(await preparedGroup(rowId, group), how)))
