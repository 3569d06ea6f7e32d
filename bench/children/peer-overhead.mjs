// Times the calls of one host's subjects against its bare call. Prints JSON.
import { overheads } from '../peers-table/harness/overhead.mjs'
import { subjectNamed } from '../peers-table/subjects/index.mjs'

const { ids, ...how } = JSON.parse(process.argv[2])
const result = await overheads(await Promise.all(ids.map(subjectNamed)), how)
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0))
