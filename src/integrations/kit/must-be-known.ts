import { mustBeObject } from './must-be-options.ts'

/**
 * Refuses settings that nothing reads: a misspelt one would be ignored without a word.
 *
 * @throws TypeError naming the path and the names that there are.
 */
export function mustBeKnown(given: unknown, known: readonly string[], host: string, path = ''): void {
  const names = `${known.slice(0, -1).join(', ')} or ${known.at(-1)}`
  mustBeObject(given, `${host}: ${path === '' ? 'the options' : path}`, `with ${names}`)
  const odd = Object.keys(given).find((name) => !known.includes(name))
  if (odd === undefined) return
  throw new TypeError(`${host}: ${path === '' ? '' : `${path}.`}${odd} is not an option; give ${names}`)
}
