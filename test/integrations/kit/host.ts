import type { Auth, Candidate, Health, HeedOptions } from 'heed'
import type { DialectName } from './dialect.ts'

/** A candidate as the table describes it; the driver makes the host's own of it. */
export interface HostCandidate {
  readonly id: string
  readonly provider: string
  readonly model: string
  /** `http://127.0.0.1:port`; SDKs of OpenAI want `/v1` after it. */
  readonly baseUrl: string
  readonly contextWindow?: number
}

/** heed's own options, to be handed on. */
export type HostOptions = Partial<Omit<HeedOptions<Candidate>, 'candidates' | 'producer'>>

export interface HostCall {
  readonly abortSignal?: AbortSignal
  /** What the user says; a request holds it word for word. @default 'Hello' */
  readonly prompt?: string
}

/** A host with heed in it, as its consumer sees it. */
export interface Host {
  /** The text of a whole answer. */
  unary(call?: HostCall): Promise<string>
  /** The text as it comes; throws what the consumer is told of a failure. Its `return()` is the consumer's leaving. */
  stream(call?: HostCall): AsyncIterable<string>
  readonly health: Health
  readonly auth: Auth
}

/** What an integration says to run the table. */
export interface HostDriver {
  readonly name: string
  readonly dialect: DialectName
  start(candidates: readonly HostCandidate[], options: HostOptions): Host | Promise<Host>
  /** A host in a host in a host, each with heed in it and with the options. Left out: the host cannot be nested. */
  nest?(candidates: readonly HostCandidate[], options: HostOptions): Host | Promise<Host>
  /** What this host cannot show: the scenario's name, and why. A name that is not in the table fails the suite. */
  readonly cannot?: Readonly<Record<string, string>>
  /** Where the host itself makes another ending of it: the scenario's name, why, and what is expected instead. */
  readonly differs?: Readonly<Record<string, { readonly why: string; readonly expect: Partial<Ending> }>>
  /** Why an abort surfaces as an error of the host's (`AbortError`) and not as the signal's own reason. */
  readonly ownAbortError?: string
}

/** How a call is to end. */
export interface Ending {
  /** Requests that each candidate's server counts; each of them is one `attempt` of the health channel. */
  readonly requests: readonly [a: number, b: number]
  /** All that the consumer got of the answer, error or not. */
  readonly text: string
  /** How the call surfaces; left out where it is served. A reason that makes a HeedError is thrown as one. */
  readonly surface?: { readonly reason: string; readonly class?: string }
  /** The host throws an error of its own in the place of heed's. Only for a `differs`. */
  readonly ownError?: true
  /** Milliseconds waited before each attempt. */
  readonly waitedMs?: readonly number[]
}
