import type { Target } from './candidate.ts'
import type { AuthStrategy, Backoff, OverflowStrategy } from './strategy.ts'

/** The retry budget's numbers, per candidate. */
export interface Budget {
  /** Most repeats in hand once the candidate has served. */
  readonly cap: number
  /** Repeats in hand until then. */
  readonly start: number
  /** Repeats earned by each call that the candidate serves. */
  readonly deposit: number
}

/** What bounds a call. All in milliseconds or counts; `Infinity` is no limit. */
export interface Limits {
  readonly perTarget: number
  readonly total: number
  readonly reduce: number
  readonly switchAfterMs: number
  readonly maxWaitMs: number
  readonly maxPauseMs: number
  /** Come back after what is left of `maxWaitMs` in spite of a longer hint, when no candidate is ready. */
  readonly capTooLong: boolean
  /** Let a shorter hint pull the own backoff down. */
  readonly clampDown: boolean
  readonly budget: Budget | false
  /** How long a permanent refusal holds for other calls too. @default 0: for its own call only */
  readonly permanentForMs?: number
}

/** A guard's configuration as the core uses it: made once, shared by all its calls, never changed. */
export interface Policy {
  /** All targets in chain order. */
  readonly targets: readonly Target[]
  /** The first target of each candidate, in chain order: a candidate's own facts. */
  readonly candidates: readonly Target[]
  readonly limits: Limits
  readonly backoff: Backoff
  readonly auth: AuthStrategy
  readonly overflow: OverflowStrategy
}
