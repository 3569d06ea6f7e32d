// Checks, without timing anything, what repeats exactly: allocation per call, and that a successful call makes no
// timer and no abort controller. Needs the built package and nothing of bench/node_modules. Exits 1 over budget.
import { ALLOCATION, inFreshProcess } from './harness/children.mjs'

/**
 * Bytes per call: what was measured when the budget was set, plus 15 % for other versions of Node; one version repeats
 * to within 2 %. `listeners` are those on the caller's signal.
 * A number that falls may be lowered here; one that rises wants a reason in the commit.
 */
const BUDGET = {
  success: { bytes: 970, listeners: 0 },
  'success, abortSignal': { bytes: 2_040, listeners: 1 },
  'success, one listener': { bytes: 1_180, listeners: 0 },
  'fail once, no wait': { bytes: 4_150, listeners: 0 },
  'permanent, next candidate': { bytes: 4_450, listeners: 0 },
}

const CALLS = 1_000

const results = await inFreshProcess('exact.mjs', {}, ALLOCATION)
let over = 0
for (const [name, { bytes, timers, controllers, signals, listeners }] of Object.entries(results)) {
  const budget = BUDGET[name]
  const faults = []
  if (budget !== undefined) {
    if (bytes > budget.bytes) faults.push(`${Math.round(bytes)} bytes are over ${budget.bytes}`)
    if (timers + controllers + signals > 0) {
      faults.push(`${CALLS} calls made ${timers} timers, ${controllers} controllers, ${signals} derived signals`)
    }
    if (listeners > budget.listeners * CALLS) faults.push(`${CALLS} calls added ${listeners} abort listeners`)
  }
  over += faults.length
  const allowed = budget === undefined ? '' : ` of ${budget.bytes}`
  console.log(`${name}: ${Math.round(bytes)} bytes/call${allowed}, ${listeners / CALLS} listeners`)
  for (const fault of faults) console.error(`${name}: ${fault}`)
}
if (over > 0) process.exitCode = 1
