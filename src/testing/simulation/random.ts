/** A seeded source of numbers in [0, 1): the same seed gives the same numbers on every machine. */
export type Random = () => number

/**
 * Makes a source of its own from a seed and the name of what it is for, so that what one part draws moves nobody
 * else's numbers: two behaviours of one seed meet the very same calls.
 *
 * @remarks sfc32 (Chris Doty-Humphrey, PractRand), seeded by FNV-1a over the text.
 */
export function randomFor(seed: number, purpose: string): Random {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = hash(`${purpose}:${seed}`)
  let counter = 1
  const next = (): number => {
    const mixed = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + mixed
    return (mixed >>> 0) / 4_294_967_296
  }
  // The first numbers of similar seeds resemble each other.
  for (let round = 0; round < 16; round += 1) next()
  return next
}

function hash(text: string): number {
  let mixed = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x01000193)
  return mixed | 0
}
