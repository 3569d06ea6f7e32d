import type { SharedV4ProviderOptions } from '@ai-sdk/provider'

/** What `providerOptions.heed` of one call may say. */
export interface HeedCallSettings {
  /** The call may be executed twice without harm, so an ambiguous failure may be retried. @default the model's */
  readonly idempotent?: boolean
  /** Milliseconds until the deadline; a stream's ends at its commit. @default the model's */
  readonly timeoutMs?: number
  /** Tokens of the input: windows known to be too small are skipped. @default not known */
  readonly inputTokens?: number
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['idempotent', 'boolean'],
  ['timeoutMs', 'number'],
  ['inputTokens', 'number'],
])

/**
 * The settings of one call.
 *
 * @throws TypeError where one is unknown or of the wrong type: it would be ignored.
 */
export function settingsOf(providerOptions: SharedV4ProviderOptions | undefined): HeedCallSettings {
  const settings = providerOptions?.['heed']
  if (settings === undefined) return {}
  for (const [name, value] of Object.entries(settings)) {
    const type = TYPES.get(name)
    if (type === undefined || (value !== undefined && typeof value !== type)) {
      throw new TypeError(
        `heed: providerOptions.heed.${name} is ${type === undefined ? 'no setting' : `no ${type}`}; ` +
          'give idempotent (true or false), timeoutMs (milliseconds) or inputTokens (a number)',
      )
    }
  }
  return settings as HeedCallSettings
}
