import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { mustBeCallSettings } from '../kit/must-be-call-settings.ts'

/** What `providerOptions.heed` of one call may say. */
export interface HeedCallSettings {
  /** The call may be executed twice without harm, so an ambiguous failure may be retried. @default the model's */
  readonly idempotent?: boolean
  /** Milliseconds until the deadline; a stream's ends at its commit. @default the model's */
  readonly timeoutMs?: number
  /** Tokens of the input: windows known to be too small are skipped. @default not known */
  readonly inputTokens?: number
}

const NAMES = ['idempotent', 'timeoutMs', 'inputTokens'] satisfies readonly (keyof HeedCallSettings)[]

/**
 * The settings of one call.
 *
 * @throws TypeError where one is unknown or of the wrong type: it would be ignored.
 */
export function settingsOf(providerOptions: SharedV4ProviderOptions | undefined): HeedCallSettings {
  const settings = providerOptions?.['heed']
  if (settings === undefined) return {}
  mustBeCallSettings(settings, 'heed: providerOptions.heed', NAMES)
  return settings as HeedCallSettings
}
