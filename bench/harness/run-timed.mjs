import { inFreshProcess } from './children.mjs'
import { median, spread } from './spread.mjs'

/** Processes and rounds of a timed row: quick runs measure heed as often and its peers once. */
const HOW = {
  full: { heed: 5, peers: 3, rounds: 15 },
  quick: { heed: 2, peers: 1, rounds: 7 },
}

/**
 * Runs a timed row: every group in several fresh processes, each with the row's baselines. The ratio of a case is to
 * its baseline in the same process; what is given is the median of the processes, with the smallest and the largest.
 */
export const runTimed = async (row, { quick, seed }) => {
  const how = quick ? HOW.quick : HOW.full
  const seen = new Map()
  for (const group of row.groups) {
    const processes = group[0].startsWith('heed') ? how.heed : how.peers
    for (let index = 0; index < processes; index++) {
      const task = { rowId: row.id, group, seed: seed + index, rounds: how.rounds }
      const { nanoseconds, bytes } = await inFreshProcess('timed.mjs', task)
      for (const name of [...row.baselines, ...group]) {
        const against = row.againstOf?.[name] ?? row.against
        const of = seen.get(name) ?? { times: [], ratios: [], bytes: [] }
        of.times.push(nanoseconds[name])
        of.ratios.push(nanoseconds[name] / nanoseconds[against])
        of.bytes.push(bytes[name])
        seen.set(name, of)
      }
    }
  }
  const lines = [...seen].map(([name, of]) => ({
    name,
    role: row.baselines.includes(name) ? 'baseline' : name.startsWith('heed') ? 'heed' : 'peer',
    cost: spread(of.times),
    ratio: spread(of.ratios),
    bytes: Math.round(median(of.bytes)),
  }))
  return { id: row.id, title: row.title, unit: row.unit, against: row.against, target: row.target, lines }
}
