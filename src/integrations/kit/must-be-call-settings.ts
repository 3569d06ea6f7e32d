import { mustBeObject } from '../../core/must-be-known.ts'

/** What one call may say to heed, with the type of each and how to say it. */
const SETTINGS = {
  idempotent: ['boolean', 'true or false'],
  timeoutMs: ['number', 'milliseconds'],
  inputTokens: ['number', 'a number'],
  reduce: ['function', 'a function'],
} as const

/** The name of a setting of one call. */
export type CallSetting = keyof typeof SETTINGS

const ALL = Object.keys(SETTINGS) as readonly CallSetting[]

/**
 * Refuses settings of one call that would be ignored: one that nobody reads, or of the wrong type.
 *
 * @param path - Where they stand, for the message.
 * @param names - Those that the host reads.
 * @throws TypeError naming the setting and those that there are.
 */
export function mustBeCallSettings(given: unknown, path: string, names: readonly CallSetting[] = ALL): void {
  const said = names.map((name) => `${name} (${SETTINGS[name][1]})`)
  const give = `${said.slice(0, -1).join(', ')} or ${said.at(-1)}`
  mustBeObject(given, path, `with ${give}`)
  for (const [name, value] of Object.entries(given)) {
    const type = names.includes(name as CallSetting) ? SETTINGS[name as CallSetting][0] : undefined
    if (type !== undefined && (value === undefined || typeof value === type)) continue
    throw new TypeError(`${path}.${name} is ${type === undefined ? 'no setting' : `no ${type}`}; give ${give}`)
  }
}
