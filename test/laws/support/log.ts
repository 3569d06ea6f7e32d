import type { HealthEventName, HealthEvents } from 'heed'
import type { Answer, Said, Step } from './scenario.ts'

/** An invocation of a call's function. */
export interface Invoked {
  readonly type: 'invoked'
  /** Index of the call in its scenario. */
  readonly call: number
  readonly callId: string
  readonly candidate: string
  readonly provider: string
  readonly credential?: string
  readonly contextWindow?: number
  readonly number: number
  readonly targetAttempt: number
  readonly idempotencyKey: string
  readonly input: unknown
  readonly at: number
  readonly step: Step
}

/** What an invocation came to, whether or not anybody still listened. */
export interface Returned {
  readonly type: 'returned'
  readonly invoked: Invoked
  readonly at: number
  /** Absent where it answered. */
  readonly said?: Said
  readonly error?: unknown
}

/** How a call ended, for its caller. `attempts` where the caller was told. */
export interface Settled {
  readonly type: 'settled'
  readonly call: number
  readonly at: number
  readonly ok: boolean
  readonly value?: unknown
  readonly error?: unknown
  /** Of `settle` only: the outcome as it came. */
  readonly outcome?: unknown
}

/** An event of the health channel. */
export type Heard = {
  [N in HealthEventName]: {
    readonly type: 'event'
    readonly name: N
    readonly event: HealthEvents[N]
    readonly at: number
  }
}[HealthEventName]

/** One line of what happened, in order. */
export type Entry =
  | Invoked
  | Returned
  | Settled
  | Heard
  | { readonly type: 'called'; readonly call: number; readonly at: number }
  | { readonly type: 'aborted'; readonly call: number; readonly at: number; readonly reason: unknown }
  /** A human answers; written down just before. */
  | { readonly type: 'answers'; readonly answer: Answer; readonly at: number }
  /** An invocation is about to call `attempt.commit()`, whether or not anybody still waits for it. */
  | { readonly type: 'commits'; readonly invoked: Invoked; readonly at: number }
  /** An item reaches the consumer of a stream. */
  | { readonly type: 'item'; readonly call: number; readonly at: number; readonly item: unknown }
  /** A source was closed. */
  | { readonly type: 'closed'; readonly invoked: Invoked; readonly at: number }

/** The entries of one type. */
export function entries<T extends Entry['type']>(
  log: readonly Entry[],
  type: T,
): readonly Extract<Entry, { type: T }>[] {
  return log.filter((entry): entry is Extract<Entry, { type: T }> => entry.type === type)
}

/** The events of one name. */
export function events<N extends HealthEventName>(log: readonly Entry[], name: N): readonly HealthEvents[N][] {
  return log.flatMap((entry) => (entry.type === 'event' && entry.name === name ? [entry.event as HealthEvents[N]] : []))
}

/** Names a target: a candidate with its credential. */
export function targetOf({
  candidate,
  credential,
}: {
  readonly candidate: string
  readonly credential?: string
}): string {
  return credential === undefined ? candidate : `${candidate} with ${credential}`
}

/** A time to compare by. The clock and the hints of the laws are whole milliseconds, but sums of fractions round. */
export function microseconds(ms: number): number {
  return Math.round(ms * 1_000)
}
