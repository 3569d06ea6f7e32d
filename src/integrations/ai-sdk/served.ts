import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'
import type { Candidate } from '../../core/candidate.ts'

/** What stands under `providerMetadata.heed` of every answer. */
export interface HeedMetadata {
  /** Id of the candidate that served. */
  readonly candidate: string
  /** Its provider, as the chain names it. */
  readonly provider: string
  /** Attempts that the call took; the last one served. */
  readonly attempts: number
  /** The same of a heed below, where the candidate is one. */
  readonly below?: object
}

/** The answer's own metadata with who served beside them. */
export function withServed(
  metadata: SharedV4ProviderMetadata | undefined,
  { id, provider }: Candidate,
  attempts: number,
): SharedV4ProviderMetadata {
  const below = metadata?.['heed']
  return {
    ...metadata,
    heed: { candidate: id, provider, attempts, ...(below === undefined ? undefined : { below }) },
  }
}
