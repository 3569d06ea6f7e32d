/**
 * Bytes of heap that one successful call allocates, beside the same call made bare. Exits 1 over the budget.
 *
 * A success is the call that is made most: it must make no timer, no controller and no call state, and one more closure
 * or promise on its path shows here. Unlike time, this repeats on any machine, so CI checks it.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Bytes over the bare call. What was measured, and room for less than one more promise with its closure. */
const BUDGET_BYTES = { plain: 700, abortSignal: 1_700 }

const WARM_CALLS = 100_000
const CALLS = 10_000
const ROUNDS = 9

// One thread, so that the optimizing compiler ends at the same call each time; and a young generation in which CALLS
// fit, because a collection in between would hide what they allocated.
const FLAGS = ['--expose-gc', '--single-threaded', '--min-semi-space-size=64', '--max-semi-space-size=64']

/** The least growth of the heap per call over the rounds: whatever else allocates meanwhile only adds. */
async function bytesPerCall(call) {
  const repeat = async (count) => {
    for (let index = 0; index < count; index++) await call()
  }
  await repeat(WARM_CALLS)
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    await repeat(CALLS)
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / CALLS)
  }
  return least
}

async function measureHere(name) {
  const { heed } = await import('heed')
  const guard = heed({ candidates: [{ id: 'only/model', provider: 'only' }] })
  const options = { abortSignal: new AbortController().signal }
  const work = async () => 1
  const calls = {
    bare: () => work(),
    plain: () => guard.execute(work),
    abortSignal: () => guard.execute(work, options),
  }
  return bytesPerCall(calls[name])
}

/** Measures in a process of its own: what one kind of call made hot must not change the next. */
function measure(name) {
  const { status, stdout } = spawnSync(process.execPath, [...FLAGS, fileURLToPath(import.meta.url), name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
  })
  if (status !== 0) throw new Error(`cannot measure ${name}`)
  return Number(stdout)
}

const [asked] = process.argv.slice(2)
if (asked === undefined) {
  const bare = measure('bare')
  console.log(`a bare call: ${Math.round(bare)} bytes`)
  for (const [name, budget] of Object.entries(BUDGET_BYTES)) {
    const over = measure(name) - bare
    console.log(
      `execute, ${name}: ${Math.round(over)} bytes more, of ${budget}${over > budget ? ': over the budget' : ''}`,
    )
    if (!(over <= budget)) process.exitCode = 1
  }
} else console.log(await measureHere(asked))
