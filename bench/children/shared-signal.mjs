// Starts calls that share one abort signal and wait in a backoff, in herds of growing size; each herd once wakes by
// itself and once is aborted. Prints JSON.
import { sleepingTick } from '../harness/stall.mjs'
import { failingFirst, peerNamed } from '../rows/answers.mjs'

const { subject, sizes } = JSON.parse(process.argv[2])
const { setMaxListeners } = await import('node:events')
const peer = await peerNamed(subject === 'retry loop by hand' ? 'by-hand' : subject)

/** @param {number} size @param {boolean} aborts */
const herd = async (size, aborts) => {
  // Long enough for the slowest case to start all its calls before the first wakes.
  const delayMs = aborts ? 50_000 : 100 + size / 20
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  const start = peer.waiting(failingFirst(size), delayMs, controller.signal)
  const promises = new Array(size)
  const from = performance.now()
  for (let index = 0; index < size; index++) promises[index] = start()
  await sleepingTick()
  const started = performance.now()
  const settled = Promise.allSettled(promises)
  if (!aborts) while (performance.now() < started + delayMs + 5);
  const waited = performance.now()
  if (aborts) controller.abort(new Error('enough'))
  const outcomes = await settled
  const over = performance.now()
  const wanted = aborts ? 'rejected' : 'fulfilled'
  if (outcomes.some((outcome) => outcome.status !== wanted)) throw new Error(`${subject}: a call was not ${wanted}`)
  return { startUs: ((started - from) * 1e3) / size, settleUs: ((over - waited) * 1e3) / size }
}

/** Herds of one size, enough of them to make as many calls as the largest has (but at most 30), averaged. */
const herds = async (size, aborts) => {
  const times = Math.min(30, Math.max(1, Math.round(sizes.at(-1) / size)))
  const total = { startUs: 0, settleUs: 0 }
  for (let time = 0; time < times; time++) {
    const { startUs, settleUs } = await herd(size, aborts)
    total.startUs += startUs / times
    total.settleUs += settleUs / times
    globalThis.gc()
  }
  return total
}

for (let warm = 0; warm < 20; warm++) await herd(500, warm % 2 === 0)
const results = {}
for (const size of sizes) {
  const aborted = await herds(size, true)
  const woken = await herds(size, false)
  results[size] = { startUs: aborted.startUs, abortUs: aborted.settleUs, wakeUs: woken.settleUs }
}
console.log(JSON.stringify(results))
