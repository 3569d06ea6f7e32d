import { mustBeObject } from '../../core/must-be-known.ts'

/** What a host says of its options, for what is refused. */
export interface OptionRules {
  /** The option that must be there. @default none: all may be left out */
  readonly needs?: string | undefined
  /** Options of another host, or of heed, that this one would not read; each with what to do instead. */
  readonly instead?: Readonly<Record<string, string>> | undefined
}

/**
 * Refuses a host's options where they are no object, and those that it would drop on their way to heed, which refuses
 * all others that it does not know.
 *
 * @throws TypeError naming the path and the fix.
 */
export function mustBeOptions(given: unknown, host: string, { needs, instead = {} }: OptionRules = {}): void {
  mustBeObject(given, `${host}: the options`, needs === undefined ? 'of options, or nothing' : `with ${needs} at least`)
  for (const [name, fix] of Object.entries(instead)) {
    if (name in given) throw new TypeError(`${host}: ${name}: ${fix}`)
  }
}

/**
 * Refuses what is given in the place of a function and would fail only when it is called.
 *
 * @throws TypeError naming the path and the fix.
 */
export function mustBeFunctions(given: Readonly<Record<string, unknown>>, host: string): void {
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && typeof value !== 'function') throw new TypeError(`${host}: ${name}: give a function`)
  }
}
