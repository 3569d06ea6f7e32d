import { mustBeKnown } from '../../core/must-be-known.ts'

/** What a setting must be, and what to give where it is not. */
export interface Rule {
  readonly fits: (value: unknown) => boolean
  readonly fix: string
}

/** A rule for every setting of an object, so that none is forgotten. */
export type RulesOf<T> = { readonly [Name in keyof T]-?: Rule }

/** The same rule for a setting that may be left out. */
export function optional({ fits, fix }: Rule): Rule {
  return { fits: (value) => value === undefined || fits(value), fix }
}

/**
 * Refuses an object with settings that nothing reads, or that do not fit. Names come first: where one is misspelt, the
 * one that was meant is missing too.
 *
 * @param host - The function that takes the object.
 * @param path - Where the object is in what the function takes; the options themselves where it is not given.
 * @throws TypeError naming the path and what to give instead.
 */
export function mustFit(given: unknown, rules: Readonly<Record<string, Rule>>, host: string, path = ''): void {
  mustBeKnown(given, Object.keys(rules), host, path)
  const settings = given as Readonly<Record<string, unknown>>
  const prefix = path === '' ? '' : `${path}.`
  for (const [name, { fits, fix }] of Object.entries(rules)) {
    if (!fits(settings[name])) throw new TypeError(`${host}: ${prefix}${name}: ${fix}`)
  }
}
