/** A small seeded generator (mulberry32): the order of the cases differs per process and repeats per seed. @param {number} seed */
export const seeded = (seed) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A shuffled copy (Fisher-Yates). @template T @param {readonly T[]} list @param {() => number} random @returns {T[]} */
export const shuffled = (list, random) => {
  const copy = [...list]
  for (let index = copy.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    const moved = copy[index]
    copy[index] = copy[other]
    copy[other] = moved
  }
  return copy
}
