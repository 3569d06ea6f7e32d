/**
 * Refuses settings that nothing reads: a misspelt one would be ignored without a word.
 *
 * @throws TypeError naming the path and the names that there are.
 */
export function mustBeKnown(given: unknown, known: readonly string[], host: string, path = ''): void {
  const names = `${known.slice(0, -1).join(', ')} or ${known.at(-1)}`
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${host}: ${path === '' ? 'the options' : path}: give an object with ${names}`)
  }
  const odd = Object.keys(given).find((name) => !known.includes(name))
  if (odd === undefined) return
  throw new TypeError(`${host}: ${path === '' ? '' : `${path}.`}${odd} is not an option; give ${names}`)
}
