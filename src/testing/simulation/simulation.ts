import type { Behaviour } from './behaviour.ts'
import type { ServerScript } from './server-script.ts'

/** What {@link simulate} takes. */
export interface SimulationOptions {
  /** The same options and seed give the same result, to the last digit. */
  readonly seed: number
  /** Processes, each with a health of its own. */
  readonly clients: number
  /** Calls that start in a second, over all clients and whatever became of the calls before: an open loop. */
  readonly callsPerSec: number
  /** For how long calls start, in milliseconds of virtual time. The run goes on until the last one has settled. */
  readonly forMs: number
  /**
   * After how many milliseconds a client gives an attempt up; the server is not told and serves it all the same.
   *
   * @defaultValue `Infinity`: never
   */
  readonly timeoutMs?: number
  /** By number, as behaviours name them; retry loops know only the first. */
  readonly servers: readonly ServerScript[]
  readonly behaviour: Behaviour
  /**
   * `'poisson'`: as calls of many independent clients come; `'even'`: a call every `1 / callsPerSec` seconds from 0 on,
   * at one client after the other.
   *
   * @defaultValue `'poisson'`
   */
  readonly arrivals?: 'poisson' | 'even'
  /** Told of every call as it settles. Costs an object per call. */
  readonly settled?: (call: SettledCall) => void
}

/** How a call ended. */
export interface SettledCall {
  readonly client: number
  readonly startMs: number
  readonly endMs: number
  readonly attempts: number
  /** Attempts at a server whose last attempt in this call was `transient`, or timed out. */
  readonly repeats: number
  readonly served: boolean
}

/** What came of a simulation. */
export interface SimulationResult {
  readonly name: string
  readonly calls: number
  readonly attempts: number
  /** Attempts at a server whose last attempt in the same call was `transient`, or timed out. */
  readonly repeats: number
  readonly served: number
  /** Attempts that a client gave up. */
  readonly timedOut: number
  /** Times that a human was asked, over all clients. */
  readonly prompts: number
  /** When the last call settled, in milliseconds. */
  readonly endMs: number
  /** Events handled: calls started, attempts ended, waits over, answers of humans. */
  readonly events: number
  /** By server. */
  readonly servers: readonly ServerTotals[]
  readonly seconds: Seconds
}

/** What a server did. */
export interface ServerTotals {
  /** Requests taken in. Each is served, whether its client still waits or not. */
  readonly admitted: number
  /** Requests refused at once. */
  readonly refused: number
  /** Milliseconds of work. */
  readonly busyMs: number
}

/** Counts by second of virtual time, from 0 on. */
export interface Seconds {
  /** Calls that started in it. */
  readonly started: Int32Array
  /** Of the calls that started in it, those that were served in the end. */
  readonly served: Int32Array
  /** Attempts made in it: the load. */
  readonly attempts: Int32Array
}
