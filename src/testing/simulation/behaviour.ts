import type { Classification } from '../../core/classification.ts'
import type { Random } from './random.ts'

/** A call as a behaviour sees it. */
export interface SimulatedCall {
  /** Number among the calls that are under way: no two of those have the same, and later calls use it again. */
  readonly slot: number
  readonly client: number
  /** Milliseconds of virtual time. */
  readonly startMs: number
  /** Attempts made so far. */
  readonly attempts: number
}

/** What a call does next. */
export type NextStep =
  /** Asks a server (its number) at once. */
  | { readonly kind: 'attempt'; readonly server: number; readonly credential?: string | undefined }
  | { readonly kind: 'wait'; readonly delayMs: number }
  /** Ends without a value. */
  | { readonly kind: 'end' }

/** A call that a human's answer wakes, and how long it stays behind the others. */
export interface Woken {
  readonly slot: number
  readonly afterMs: number
}

/** All clients of one simulation, each a process with a health of its own. */
export interface Clients {
  /** A call starts. */
  begin(call: SimulatedCall, nowMs: number): NextStep
  /**
   * The call's attempt failed.
   *
   * @param failure - What the server said; after the client's own timeout `{ class: undefined, ambiguous: true }`.
   */
  failed(call: SimulatedCall, failure: Classification, nowMs: number): NextStep
  /** The call's wait is over. */
  woken(call: SimulatedCall, nowMs: number): NextStep
  /** The call's attempt served. */
  served(call: SimulatedCall, nowMs: number): void
  /** A human told every client that a server's credential is good again. Answers which waits end. */
  resolved?(server: number): readonly Woken[]
  /** Times that a human was asked, over all clients. */
  readonly prompts?: number
}

/** How clients answer failures: heed, or what it is compared with. */
export interface Behaviour {
  readonly name: string
  /** Makes the clients of one simulation. */
  start(clients: number, random: Random): Clients
}
