import type { Scenario } from './scenario.ts'

/** Randomness that a scenario fixes: mulberry32, or one number for ever. */
export function randomOf(random: Scenario['random']): () => number {
  if ('always' in random) return () => random.always
  let state = random.seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
