// Starts many calls that all wait in a backoff, then lets all of them wake at once. Prints JSON.
import { seeded, shuffled } from '../harness/seeded.mjs'
import { longestStall, sleepingTick } from '../harness/stall.mjs'
import { timer } from '../peers/by-hand.mjs'
import { failingFirst, peerNamed } from '../rows/answers.mjs'

const { subject, calls, delayMs, seed } = JSON.parse(process.argv[2])

const starters = {
  'promise on a timer': timer(delayMs),
  [subject]: (await peerNamed(subject === 'retry loop by hand' ? 'by-hand' : subject)).waiting(failingFirst, delayMs),
}

/** @param {() => Promise<unknown>} start */
const herd = async (start) => {
  globalThis.gc()
  const before = process.memoryUsage().heapUsed
  const promises = new Array(calls)
  const from = performance.now()
  for (let index = 0; index < calls; index++) promises[index] = start()
  // Two turns of the loop: by then every first attempt has failed and every call waits.
  await sleepingTick()
  await sleepingTick()
  const started = performance.now()
  globalThis.gc()
  const bytes = (process.memoryUsage().heapUsed - before) / calls
  if (started - from > delayMs) throw new Error(`${subject}: the first call woke before the last had started`)
  const all = Promise.all(promises)
  // Blocks the loop until every wait is over: the worst case, a herd that is due in the same turn.
  while (performance.now() < started + delayMs + 20);
  const { stallMs, tookMs } = await longestStall(all)
  return { bytes, startUs: ((started - from) * 1e3) / calls, drainUs: (tookMs * 1e3) / calls, stallMs }
}

const results = {}
for (const start of Object.values(starters)) await warm(start)
for (const name of shuffled(Object.keys(starters), seeded(seed))) results[name] = await herd(starters[name])
console.log(JSON.stringify(results))

/** A small herd first, so that what is measured is compiled code. */
async function warm(start) {
  const promises = Array.from({ length: 2_000 }, start)
  await Promise.all(promises)
}
