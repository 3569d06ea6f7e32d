import { GCProfiler } from 'node:v8'
import { fittingCount } from './fresh-loop.mjs'

/** A young generation this large (see `children.mjs`) holds so many bytes without a collection. */
const ROOM_BYTES = 24e6
const MOST_CALLS = 20_000
const WARM_NS = 150e6

/**
 * Bytes of heap that one call allocates, its code warmed first: what `heapUsed` grows by over calls between which no
 * collection ran; null where one block of calls overfills the young generation. Needs `--expose-gc` and a large young generation.
 * @param {import('./fresh-loop.mjs').Batch} batch
 */
export const bytesPerCall = async (batch) => {
  for (let spent = 0; spent < WARM_NS; ) spent += Math.max(1_000, await batch(batch.least))
  let count = fittingCount(batch, 200)
  for (let tries = 0; tries < 12; tries++) {
    const { bytes, collections } = await grown(batch, count)
    if (collections > 0) {
      count = fittingCount(batch, count / 4)
      continue
    }
    const perCall = bytes / count
    const most = fittingCount(batch, Math.min(MOST_CALLS, ROOM_BYTES / Math.max(perCall, 16)))
    if (count >= most / 2) return perCall
    count = most
  }
  return null
}

const grown = async (batch, count) => {
  globalThis.gc()
  const profiler = new GCProfiler()
  profiler.start()
  const before = process.memoryUsage().heapUsed
  await batch(count)
  const bytes = process.memoryUsage().heapUsed - before
  return { bytes, collections: profiler.stop().statistics.length }
}
