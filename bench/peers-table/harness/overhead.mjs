import { interleaved } from '../../harness/rounds.mjs'
import { inMemory } from './in-memory.mjs'
import { TEXT } from './stage.mjs'

/** Nanoseconds of processor time, the collector's included. */
const usedNs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1_000
}

/** A host's call takes long enough to be timed a few at a time. @returns {import('../../harness/fresh-loop.mjs').Batch} */
const batchOf = (call) =>
  Object.assign(
    async (count) => {
      const from = usedNs()
      for (let done = 0; done < count; done++) await call()
      return usedNs() - from
    },
    { least: 8 },
  )

/** The two ways to call: with a signal of the call's own, as a server does, and without. */
const ways = {
  signal: (caller) => () => caller.ask(new AbortController().signal),
  plain: (caller) => () => caller.ask(),
}

const ready = async (caller, way, name) => {
  const call = ways[way](caller)
  const text = await call()
  if (text !== TEXT) throw new Error(`${name} answers ${text}`)
  return batchOf(call)
}

/** A call whose primary is out of credit; nothing where a subject does not fall back, or waits before it does. */
const failingOver = async (subject) => {
  if (subject.onlyOne || subject.waitsBeforeFallback) return undefined
  const { candidates, asked } = inMemory(subject.host.dialect, false)
  const caller = (subject.attachForFailover ?? subject.attach)(candidates)
  const batch = await ready(caller, 'signal', `${subject.id} failing over`)
  await batch(2)
  if (asked() !== 3) throw new Error(`${subject.id} asked its primary ${asked()} times in 3 calls`)
  return batch
}

/**
 * Ratios of one host's subjects to its bare call, in this process.
 * @param {readonly any[]} subjects all of one host @param {{ seed: number, rounds: number, warmMs: number }} how
 */
export const overheads = async (subjects, how) => {
  const [{ host }] = subjects
  const serving = () => inMemory(host.dialect, true).candidates
  const batches = {}
  for (const way of Object.keys(ways)) {
    batches[`bare ${way}`] = await ready(host.bare(serving()[0]), way, 'the bare call')
    for (const subject of subjects) {
      batches[`${subject.id} ${way}`] = await ready(subject.attach(serving()), way, subject.id)
    }
  }
  for (const subject of subjects) {
    const failover = await failingOver(subject)
    if (failover) batches[`${subject.id} failover`] = failover
  }
  const perCallNs = await interleaved(batches, how)
  const ratio = (name, way) => perCallNs[name] && perCallNs[name] / perCallNs[`bare ${way}`]
  const ratiosOf = ({ id }) => ({
    signal: ratio(`${id} signal`, 'signal'),
    plain: ratio(`${id} plain`, 'plain'),
    failover: ratio(`${id} failover`, 'signal'),
  })
  return Object.fromEntries(subjects.map((subject) => [subject.id, ratiosOf(subject)]))
}
