// Starts many calls that all wait in a backoff, then lets all of them wake at once. Prints JSON.
import { seeded, shuffled } from '../harness/seeded.mjs'
import { longestStall, sleepingTick } from '../harness/stall.mjs'
import { timer } from '../peers/by-hand.mjs'
import { failingFirst, peerNamed } from '../rows/answers.mjs'

const { subject, calls, seed } = JSON.parse(process.argv[2])

const { waiting } = await peerNamed(subject === 'retry loop by hand' ? 'by-hand' : subject)
const starters = {
  'promise on a timer': timer,
  [subject]: (delayMs, size) => waiting(failingFirst(size), delayMs),
}

/** @param {(delayMs: number, size: number) => () => Promise<unknown>} starter @param {number} delayMs */
const herd = async (starter, delayMs) => {
  const start = starter(delayMs, calls)
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
  if (started - from > delayMs) {
    // The machine was busier than when the delay was chosen: the first calls woke before the last had started.
    await Promise.all(promises)
    return herd(starter, 2 * delayMs)
  }
  const all = Promise.all(promises)
  // Blocks the loop until every wait is over: the worst case, a herd that is due in the same turn.
  while (performance.now() < started + delayMs + 20);
  const { stallMs, tookMs } = await longestStall(all)
  return { bytes, startUs: ((started - from) * 1e3) / calls, drainUs: (tookMs * 1e3) / calls, stallMs }
}

const SMALL = 5_000

/**
 * Small herds first, so that what is measured is compiled code. Answers a delay long enough for all calls to start
 * before the first wakes, with room for a machine that does other things too.
 */
const delayFor = async (starter) => {
  const start = starter(20, SMALL)
  let startMs = 0
  for (let herd = 0; herd < 4; herd++) {
    const from = performance.now()
    const promises = Array.from({ length: SMALL }, start)
    await sleepingTick()
    startMs = performance.now() - from
    await Promise.all(promises)
  }
  return Math.ceil(500 + 3 * startMs * (calls / SMALL))
}

const results = {}
const delays = {}
for (const name of Object.keys(starters)) delays[name] = await delayFor(starters[name])
for (const name of shuffled(Object.keys(starters), seeded(seed))) {
  results[name] = await herd(starters[name], delays[name])
}
console.log(JSON.stringify(results))
