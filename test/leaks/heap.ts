import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes of the heap that something still refers to. */
export async function heapBytes(): Promise<number> {
  // What promises and finalizers let go of is garbage only a turn later.
  for (let turn = 0; turn < 3; turn += 1) {
    collect()
    await new Promise(setImmediate)
  }
  return process.memoryUsage().heapUsed
}
