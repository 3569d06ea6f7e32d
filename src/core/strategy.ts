import type { Classification } from './classification.ts'

/** Told of a strategy that threw, or answered what is no answer of its slot; the core then goes by a safe one. */
export type NoteFault = (slot: 'backoff' | 'auth' | 'overflow', fault: 'threw' | 'wrong_type') => void

/** What a backoff may use. */
export interface BackoffContext {
  /** How many repeats of this target in a row, from 1. A change of class or target starts again. */
  readonly repeat: number
  /** Milliseconds that this backoff answered for the repeat before; absent for the first. */
  readonly previousDelayMs?: number
  /** In [0, 1). The only randomness a backoff may use. */
  readonly random: number
}

/** heed's own wait before a repeat after `transient`, in milliseconds. A producer's hint is a floor beside it. */
export type Backoff = (context: BackoffContext) => number

/** What an auth strategy may use. */
export interface AuthContext {
  readonly provider: string
  /** Whether selection would find a target at another provider, ready or after a wait that fits. */
  readonly otherProviderEligible: boolean
}

/** What a call does when the provider it wants is blocked: wait for a human, go on without it, or surface. */
export type AuthStrategy = (context: AuthContext) => 'pause' | 'advance' | 'surface'

/** A candidate as an overflow strategy sees it. */
export interface Window {
  readonly id: string
  /** Tokens; absent means unknown. */
  readonly contextWindow?: number
}

/** What an overflow strategy may use. */
export interface OverflowContext {
  /** Whose window the input exceeded. */
  readonly failed: Window
  /** Candidates with a strictly larger known window: the ready ones in chain order, then those whose wait fits. */
  readonly eligible: readonly Window[]
  /** Tokens of the input, where the caller gave them. */
  readonly inputTokens?: number
  /** Whether the caller gave `reduce` and reductions are left. */
  readonly canReduce: boolean
}

/**
 * What follows an overflow: an eligible candidate's id, `'reduce'`, `'surface'`, or nothing: then selection may still
 * wait or pause for a larger window, and surfaces where there is none.
 */
export type OverflowStrategy = (context: OverflowContext) => string | undefined

/** Maps a failure whose class is absent or not in the set; nothing leaves it as it is. */
export type UnknownStrategy = (error: unknown, classification: Classification) => Classification | undefined

/** Counts one candidate's failures for a breaker. */
export interface BreakerCounter {
  /** An attempt succeeded. */
  success(): void
  /** An attempt failed. Answers whether the breaker opens now. */
  failure(): boolean
}

/** A breaker: a counter per candidate, and how long an opened one cools. */
export interface BreakerStrategy {
  /** Milliseconds that a candidate cools once its counter opens. */
  readonly coolMs: number
  /** Makes one candidate's counter. */
  readonly counter: () => BreakerCounter
}
