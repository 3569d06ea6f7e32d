import type { Credential } from '../../core/candidate.ts'

/** The credentials that a candidate may list, or none. */
export type Credentials = readonly Credential[] | undefined

/** A list of credentials as it was written, fields of the user's own included; of anything else, what to write. */
export type CredentialList<L> = L extends Credentials ? L : readonly Credential[]

/** One of a list of credentials; `undefined` where none are listed. A list that turns out empty counts as none. */
export type ListedCredential<L> = L extends readonly (infer K)[] ? ([K] extends [never] ? undefined : K) : undefined
