import { fittingCount } from './fresh-loop.mjs'
import { seeded, shuffled } from './seeded.mjs'
import { median } from './spread.mjs'

const BATCH_NS = 6e6

/** Runs a batch until it is compiled hot; answers how many calls fill one. @param {import('./fresh-loop.mjs').Batch} batch @param {number} warmMs */
const warm = async (batch, warmMs) => {
  let count = batch.least
  let took = 0
  // In processor time too: on a busy machine the compiler's thread waits for its turn as everybody does.
  for (let spent = 0; spent < warmMs * 1e6; spent += Math.max(took, 1_000)) {
    took = await batch(count)
    if (took < BATCH_NS) count = Math.min(count * 2, 1_000_000)
  }
  return fittingCount(batch, (count * BATCH_NS) / Math.max(took, 1))
}

/**
 * Measures cases in interleaved rounds, the order shuffled per round. Answers nanoseconds per call as the median of
 * the rounds.
 * @param {Readonly<Record<string, import('./fresh-loop.mjs').Batch>>} batches
 * @param {{ seed: number, rounds: number, warmMs: number }} how
 * @returns {Promise<Record<string, number>>}
 */
export const interleaved = async (batches, { seed, rounds, warmMs }) => {
  const random = seeded(seed)
  const names = Object.keys(batches)
  const counts = {}
  // Twice: the first pass of one case may teach the engine things that change the code of another.
  for (const name of [...shuffled(names, random), ...shuffled(names, random)])
    counts[name] = await warm(batches[name], warmMs)
  const perCall = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of shuffled(names, random)) {
      perCall[name].push((await batches[name](counts[name])) / counts[name])
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(perCall[name])]))
}
