// Bytes that one call of each case of a group allocates. Prints JSON.
import { bytesPerCall } from '../harness/allocation.mjs'
import { preparedGroup } from '../rows/index.mjs'

const { rowId, group } = JSON.parse(process.argv[2])
const bytes = {}
for (const [name, batch] of Object.entries(await preparedGroup(rowId, group))) bytes[name] = await bytesPerCall(batch)
console.log(JSON.stringify(bytes))
