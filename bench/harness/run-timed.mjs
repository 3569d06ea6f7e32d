import { ALLOCATION, inFreshProcess, TIMING } from './children.mjs'
import { median, spread } from './spread.mjs'

/** Processes per group, and rounds and warm-up in each: a quick run is for looking, not for publishing. */
const FULL = { heed: 5, peers: 3, rounds: 15, warmMs: 200 }
const QUICK = { heed: 2, peers: 1, rounds: 7, warmMs: 100 }

/**
 * Runs a timed row: every group in several fresh processes, each with the row's baselines. The ratio of a case is to
 * its baseline in the same process; what is given is the median of the processes, with the smallest and the largest.
 */
export const runTimed = async (row, { quick, seed }) => {
  const { rounds, warmMs, ...processes } = quick ? QUICK : FULL
  const seen = new Map()
  const caseOf = (name) => {
    if (!seen.has(name)) seen.set(name, { times: [], ratios: [], bytes: [] })
    return seen.get(name)
  }
  for (const group of row.groups) {
    const times = group[0].startsWith('heed') ? processes.heed : processes.peers
    for (let index = 0; index < times; index++) {
      const task = { rowId: row.id, group, seed: seed + index, rounds, warmMs }
      const nanoseconds = await inFreshProcess('timed.mjs', task, TIMING)
      for (const [name, perCall] of Object.entries(nanoseconds)) {
        caseOf(name).times.push(perCall)
        caseOf(name).ratios.push(perCall / nanoseconds[row.againstOf?.[name] ?? row.against])
      }
    }
    // What a call allocates repeats, so one process is enough.
    const bytes = await inFreshProcess('allocated.mjs', { rowId: row.id, group }, ALLOCATION)
    for (const [name, perCall] of Object.entries(bytes)) if (perCall !== null) caseOf(name).bytes.push(perCall)
  }
  const lines = [...seen].map(([name, of]) => ({
    name,
    role: row.baselines.includes(name) ? 'baseline' : name.startsWith('heed') ? 'heed' : 'peer',
    cost: spread(of.times),
    ratio: spread(of.ratios),
    ...(of.bytes.length > 0 && { bytes: Math.round(median(of.bytes)) }),
  }))
  return { id: row.id, title: row.title, unit: row.unit, against: row.against, target: row.target, lines }
}
