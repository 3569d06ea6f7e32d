/** `a, b or c`. */
export function either(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/**
 * Refuses what is no object before anything is read of it: the language's own error would name neither the option nor
 * the fix.
 *
 * @param what - What it would hold, after "give an object".
 * @throws TypeError naming the path and the fix.
 */
export function mustBeObject(given: unknown, path: string, what: string): asserts given is object {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`${path}: give an object ${what}`)
  }
}

/**
 * Refuses settings that nothing reads: a misspelt one would be ignored without a word.
 *
 * @param host - The function that takes the object.
 * @param path - Where the object is in what the function takes; the options themselves where it is not given.
 * @throws TypeError naming the path and the names that there are.
 */
export function mustBeKnown(
  given: unknown,
  known: readonly string[],
  host: string,
  path = '',
): asserts given is object {
  const names = either(known)
  mustBeObject(given, `${host}: ${path === '' ? 'the options' : path}`, `with ${names}`)
  const odd = Object.keys(given).find((name) => !known.includes(name))
  if (odd === undefined) return
  throw new TypeError(`${host}: ${path === '' ? '' : `${path}.`}${odd} is not an option; give ${names}`)
}
