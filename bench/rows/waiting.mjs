import { inFreshProcess } from '../harness/children.mjs'
import { spread } from '../harness/spread.mjs'

const BASELINE = 'promise on a timer'

/** Processes per subject. */
const cases = [
  { subject: 'heed', full: 3, quick: 1 },
  { subject: 'retry loop by hand', full: 2, quick: 0 },
  { subject: 'cockatiel', full: 1, quick: 0 },
  { subject: 'async-retry', full: 1, quick: 0 },
  { subject: 'p-retry', full: 1, quick: 0 },
]

const measure = async ({ quick, seed }) => {
  const seen = new Map()
  for (const { subject, ...processes } of cases) {
    for (let index = 0; index < (quick ? processes.quick : processes.full); index++) {
      const task = { subject, calls: 100_000, seed: seed + index }
      const results = await inFreshProcess('waiting.mjs', task, ['--expose-gc'])
      for (const [name, result] of Object.entries(results)) {
        const of = seen.get(name) ?? { heap: [], heapRatio: [], stall: [], stallRatio: [], startUs: [], drainUs: [] }
        of.heap.push(result.bytes)
        of.heapRatio.push(result.bytes / results[BASELINE].bytes)
        of.stall.push(result.stallMs)
        of.stallRatio.push(result.stallMs / results[BASELINE].stallMs)
        of.startUs.push(result.startUs)
        of.drainUs.push(result.drainUs)
        seen.set(name, of)
      }
    }
  }
  return seen
}

const linesOf = (seen, cost, ratio) =>
  [...seen].map(([name, of]) => ({
    name,
    role: name === BASELINE ? 'baseline' : name === 'heed' ? 'heed' : 'peer',
    cost: spread(of[cost]),
    ratio: spread(of[ratio]),
    note: `start ${spread(of.startUs).median.toFixed(1)} µs/call, wake ${spread(of.drainUs).median.toFixed(1)} µs/call`,
  }))

export const row = {
  id: 'waiting',
  title: '100,000 calls waiting in backoff',
  /** Two results of the same processes: heap, and the longest stall when all wake. */
  run: async (how) => {
    const seen = await measure(how)
    const shared = { against: BASELINE }
    return [
      {
        ...shared,
        id: 'waiting-heap',
        title: '100,000 calls waiting in backoff: heap',
        unit: 'bytes/call',
        target: 4,
        lines: linesOf(seen, 'heap', 'heapRatio'),
      },
      {
        ...shared,
        id: 'waiting-stall',
        title: '100,000 calls wake at once: longest stall of the loop',
        unit: 'ms',
        target: 1,
        lines: linesOf(seen, 'stall', 'stallRatio'),
      },
    ]
  },
}
