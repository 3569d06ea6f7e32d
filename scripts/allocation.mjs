/**
 * Bytes of heap that one successful call allocates, beside the same call made bare. Exits 1 over the budget.
 *
 * A success is the call that is made most: it must make no timer, no controller and no call state, and an extra closure
 * or promise on its path shows here to the byte. The numbers repeat exactly for one Node version, so CI checks them.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Bytes over the bare call. Measured, then rounded up to the next 10: room for other Node versions, not for a closure. */
const BUDGET_BYTES = { plain: 0, abortSignal: 0 }

const WARM_CALLS = 20_000
const CALLS = 10_000
const ROUNDS = 5

// A young generation in which CALLS fit: a collection in between would hide what they allocated.
const FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']

/** Median growth of the heap per call. */
const bytesPerCall = async (call) => {
  const repeat = async (count) => {
    for (let index = 0; index < count; index++) await call()
  }
  await repeat(WARM_CALLS)
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    await repeat(CALLS)
    rounds.push((process.memoryUsage().heapUsed - before) / CALLS)
  }
  return rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]
}

const measure = async () => {
  const { heed } = await import('heed')
  const guard = heed({ candidates: [{ id: 'only/model', provider: 'only' }] })
  const { signal } = new AbortController()
  const work = async () => 1
  const bare = await bytesPerCall(() => work())
  const plain = await bytesPerCall(() => guard.execute(work))
  const abortSignal = await bytesPerCall(() => guard.execute(work, { abortSignal: signal }))
  return { bare, plain: plain - bare, abortSignal: abortSignal - bare }
}

if (globalThis.gc) {
  const { bare, ...over } = await measure()
  console.log(`a bare call: ${Math.round(bare)} bytes`)
  for (const [name, bytes] of Object.entries(over)) {
    const fits = bytes <= BUDGET_BYTES[name]
    console.log(`execute, ${name}: ${Math.round(bytes)} bytes more, of ${BUDGET_BYTES[name]}${fits ? '' : ': over'}`)
    if (!fits) process.exitCode = 1
  }
} else {
  const { status } = spawnSync(process.execPath, [...FLAGS, fileURLToPath(import.meta.url)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
