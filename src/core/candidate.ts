import type { Producer } from './producer.ts'

/** A credential: its own id (so never a secret), or an object of the user's with an `id`. Only the id is ever reported. */
export type Credential = string | { readonly id: string }

/** One way to serve a call. Add fields of your own; the object is handed to you by identity and never copied. */
export interface Candidate {
  /** Unique within the chain. Names the candidate in errors, outcomes and events. */
  readonly id: string
  /** Whose credentials it uses: authorization is blocked and resolved per provider. */
  readonly provider: string
  /** Tokens. Absent means unknown: such a candidate is never chosen after an overflow. */
  readonly contextWindow?: number | undefined
  /** Tried in order, two in a call. Absent means one that heed knows nothing of. */
  readonly credentials?: readonly Credential[] | undefined
  /** Reads this candidate's failures; defaults to the guard's `producer`. */
  readonly producer?: Producer | undefined
}

/** The credential type of a candidate type; a chain may list credentials for some of its candidates only. */
export type CredentialOf<C> = C extends { readonly credentials?: infer L } ? ItemOf<NonNullable<L>> : undefined

type ItemOf<L> = [L] extends [never] ? undefined : L extends readonly (infer K)[] ? K : undefined

/** A candidate with one of its credentials, as plain data: what attempts and cooling are counted by. */
export interface Target {
  /** Position among all targets of the chain. */
  readonly index: number
  /** Names the target in the marks; never a bare id, so that no id can name a property of every object. */
  readonly key: string
  /** Position of the candidate in the chain. */
  readonly position: number
  readonly candidate: string
  readonly provider: string
  readonly credential?: string
  readonly contextWindow?: number
}

/** The ids of a candidate's credentials, in order; one absent id where none are listed. */
export function credentialIds(candidate: Candidate): readonly (string | undefined)[] {
  const listed = candidate.credentials
  if (listed === undefined || listed.length === 0) return [undefined]
  return listed.map((credential) => (typeof credential === 'string' ? credential : credential.id))
}

/** Names a target in the marks. */
export function targetKey(candidate: string, credential: string | undefined): string {
  return JSON.stringify([candidate, credential])
}

/** All targets of a chain, candidates in order and each with its credentials in order. */
export function targetsOf(chain: readonly Candidate[]): readonly Target[] {
  const targets: Target[] = []
  chain.forEach((candidate, position) => {
    for (const credential of credentialIds(candidate)) {
      targets.push({
        index: targets.length,
        key: targetKey(candidate.id, credential),
        position,
        candidate: candidate.id,
        provider: candidate.provider,
        ...(credential === undefined ? {} : { credential }),
        ...(candidate.contextWindow === undefined ? {} : { contextWindow: candidate.contextWindow }),
      })
    }
  })
  return targets
}
