import type { Candidate, CredentialOf } from './core/candidate.ts'
import type { Classification } from './core/classification.ts'
import type { Clock } from './core/clock.ts'
import type { Producer } from './core/producer.ts'
import type { AuthStrategy, Backoff, BreakerStrategy, OverflowStrategy, UnknownStrategy } from './core/strategy.ts'
import type { AttemptRecord } from './errors.ts'
import type { Health } from './health/health.ts'

/** Limits of attempts. Every limit counts the first attempt. */
export interface AttemptLimits {
  /** Per candidate and credential. @default 3: a brown-out is mostly over, or not, after two repeats. */
  readonly perTarget?: number | undefined
  /** Per call, over all targets: a bound on what one call may cost. Raised to the chain's length where lower. @default 10 */
  readonly total?: number | undefined
  /** Reductions per call: an input that three could not make fit will not fit. @default 3 */
  readonly reduce?: number | undefined
}

/** What to do with a producer's `retry_after_secs`. */
export interface RetryAfterOptions {
  /**
   * When the wait does not fit: `'advance'` goes on with another candidate or surfaces; `'cap'` comes back after what
   * is left of `maxWaitMs` when no candidate is ready (the contract's consumer-local capping).
   * @default 'advance': coming back early is what the producer asked not to do.
   */
  readonly onTooLong?: 'advance' | 'cap' | undefined
  /** Let a hint that is shorter than the own backoff pull it down. @default false: the hint is a floor, not a schedule. */
  readonly clampDown?: boolean | undefined
}

/**
 * The retry budget: repeats after `transient` that a candidate may cost, over all calls of this process. Chosen on the
 * simulator (`npm run simulate`).
 */
export interface BudgetOptions {
  /**
   * Most repeats in hand once the candidate has served: times the number of processes, the burst of a fleet.
   * @default 1: with 2, a fleet of 200 takes more than 30 s to get over a brown-out. One process alone does well with 10.
   */
  readonly cap?: number | undefined
  /**
   * Repeats in hand until the candidate has served for the first time; may be more than `cap`.
   * @default 3: the first call of a script may make all three attempts at its target.
   */
  readonly start?: number | undefined
  /** Repeats earned per call that the candidate serves. @default 0.1: at most a tenth of the load is repeats. */
  readonly deposit?: number | undefined
}

/**
 * What `heed()` takes. Everything but `candidates` has a default. `Infinity` is no limit; 0 is no timeout for the three
 * timeouts, and no time at all for `switchAfterMs`, `maxWaitMs` and `maxPauseMs`.
 */
export interface HeedOptions<C extends Candidate> {
  /** The chain, in order of preference. At least one. */
  readonly candidates: readonly C[]
  /** Reads the failures of candidates that have no producer of their own. @default none: only the wire is read. */
  readonly producer?: Producer | undefined
  /** heed's own wait before a repeat. @default exponential(): full jitter over 0.5 s, 1 s, 2 s, … at most 30 s. */
  readonly backoff?: Backoff | undefined
  /** When a provider needs a human. @default pause: wait for `guard.auth.resolve(provider)`, up to `maxPauseMs`. */
  readonly auth?: AuthStrategy | undefined
  /** When an input exceeds a window. @default largerWindow */
  readonly overflow?: OverflowStrategy | undefined
  /** Maps classes that are not in the set. @default passThrough */
  readonly unknown?: UnknownStrategy | undefined
  /** Maps failures that have no class. @default passThrough */
  readonly unclassified?: UnknownStrategy | undefined
  /** Cools a candidate that fails again and again. @default none */
  readonly breaker?: BreakerStrategy | undefined
  /** @default { perTarget: 3, total: 10, reduce: 3 } */
  readonly attempts?: AttemptLimits | undefined
  /** @default { onTooLong: 'advance', clampDown: false } */
  readonly retryAfter?: RetryAfterOptions | undefined
  /** A longer wait, in milliseconds, gives way to a candidate that is ready sooner. @default 5_000: about as long as a person waits. */
  readonly switchAfterMs?: number | undefined
  /** Most milliseconds that a call waits, all waits together. @default 60_000: longer is an engine's work. */
  readonly maxWaitMs?: number | undefined
  /** Most milliseconds that a call pauses for a human, each time. @default 300_000: time to sign in, not to come back. */
  readonly maxPauseMs?: number | undefined
  /**
   * How long a `permanent` refusal keeps its candidate out of all calls, in milliseconds; `Infinity` until
   * `health.revive(id)`. @default 0: what one request is refused for, another may not be
   */
  readonly permanentFor?: number | undefined
  /**
   * Deadline of each call, in milliseconds from its start; an attempt that it cuts is ambiguous. A stream's ends at its
   * commit. @default 0, none
   */
  readonly timeoutMs?: number | undefined
  /** Limit of each attempt, in milliseconds; one that it cuts is ambiguous. A stream's ends at its commit. @default 0, none */
  readonly attemptTimeoutMs?: number | undefined
  /** Longest silence of a committed stream while an item is awaited, in milliseconds. @default 0, none */
  readonly idleTimeoutMs?: number | undefined
  /** Calls may be executed twice without harm, so an ambiguous failure may be retried. @default false */
  readonly idempotent?: boolean | undefined
  /** What repeats after `transient` may cost; `false` switches it off. @default { cap: 1, start: 3, deposit: 0.1 } */
  readonly budget?: BudgetOptions | false | undefined
  /** Shares marks, prompts and budgets with other guards. @default one of its own */
  readonly health?: Health | undefined
  /** @default that of the health, else the process's */
  readonly clock?: Clock | undefined
  /** Answers a number in [0, 1), asked for once per failure. @default Math.random */
  readonly random?: (() => number) | undefined
}

/** What `reduce` is told. */
export interface ReduceContext<C> {
  readonly candidate: C
  readonly classification: Classification
  /** Number of the attempt that overflowed; 0 where every window was known to be too small beforehand. */
  readonly attempt: number
}

/** Makes a smaller input, once for each overflow. The same input, `undefined` or a throw gives up. */
export type ReduceInput<C, I> = (input: I, context: ReduceContext<C>) => I | undefined | PromiseLike<I | undefined>

/** What one call takes. */
export interface CallOptions<C, I> {
  /** Settles the call at once, with the signal's own reason. */
  readonly abortSignal?: AbortSignal | undefined
  /** Milliseconds until the deadline of this call; 0 is none. @default the guard's */
  readonly timeoutMs?: number | undefined
  /** Tokens of the input: windows known to be too small are skipped. */
  readonly inputTokens?: number | undefined
  /** Handed to each attempt as `attempt.input`. */
  readonly input?: I | undefined
  /** Makes a smaller input after an overflow that no larger window can take. */
  readonly reduce?: ReduceInput<C, I> | undefined
  /** @default the guard's */
  readonly idempotent?: boolean | undefined
}

/** What one streamed call takes. */
export interface StreamOptions<C, I, T> extends CallOptions<C, I> {
  /** Whether an item is content; handing the first one over commits. @default the producer's, else every item is */
  readonly isContent?: ((item: T) => boolean) | undefined
  /** Whether an item says that the answer is complete. @default the producer's, else the end of the source does */
  readonly isEnd?: ((item: T) => boolean) | undefined
  /** A stream may end without content. @default false */
  readonly allowEmpty?: boolean | undefined
}

/**
 * What the function of a call gets: one invocation of one target. Read-only; destructure what you need by name (a
 * spread copies nothing, for costly parts are made when they are read).
 */
export interface Attempt<C, I> {
  /** The candidate object of yours. */
  readonly candidate: C
  /** The candidate's credential to use, as it was listed. */
  readonly credential: CredentialOf<C> | undefined
  /** Position among the call's attempts, from 1. */
  readonly number: number
  /** Position among the call's attempts at this target, from 1. */
  readonly targetAttempt: number
  /** The call, as events name it. */
  readonly callId: string
  /** The same for all attempts of a call with the same input: hand it to producers that deduplicate. */
  readonly idempotencyKey: string
  /** The call's input, or what `reduce` made of it. */
  readonly input: I
  /**
   * Aborts with the caller's signal, and when a timeout cuts this attempt: until it has served, where there are timeouts.
   */
  readonly abortSignal: AbortSignal
  /** From here on the call must not be replayed: a later failure surfaces as it came. */
  readonly commit: () => void
}

/** Who served a call. */
export interface Served<C> {
  readonly candidate: C
  /** The credential's id. */
  readonly credential?: string
  /** All attempts of the call, the one that served last. */
  readonly attempts: readonly AttemptRecord[]
}

/** How a call ended, as a value. */
export type Outcome<T, C> =
  | {
      readonly status: 'completed'
      readonly value: T
      /** The class of an answer that is a failure passed on as it came; absent for one that is none. */
      readonly class?: string
      readonly served: Served<C>
      readonly attempts: readonly AttemptRecord[]
    }
  | {
      /** `suspended`: the surfaced class is `auth_required`; `cancelled`: the caller aborted. */
      readonly status: 'failed' | 'cancelled' | 'suspended'
      readonly error: unknown
      /** The surfaced class, spelled as on the wire so that it survives JSON and structured cloning. */
      readonly class?: string
      readonly retry_after_secs?: number
      /** A retry layer gave up: an outer heed advances. */
      readonly exhausted?: true
      readonly attempts: readonly AttemptRecord[]
    }
