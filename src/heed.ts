import { pause } from '../strategies/auth/pause.ts'
import { exponential } from '../strategies/backoff/exponential.ts'
import { largerWindow } from '../strategies/overflow/larger-window.ts'
import { passThrough } from '../strategies/unknown/pass-through.ts'
import { chainOf, checkOptions, limitsOf } from './config.ts'
import type { Candidate } from './core/candidate.ts'
import type { Clock } from './core/clock.ts'
import { fractionOf } from './core/fraction.ts'
import type { Policy } from './core/policy.ts'
import { timeLimit } from './core/time-limit.ts'
import type { PendingPrompt } from './health/auth-desk.ts'
import { Health, healthParts } from './health/health.ts'
import type { HealthStore } from './health/store.ts'
import type { Attempt, CallOptions, HeedOptions, Outcome, StreamOptions } from './options.ts'
import { Engine } from './shell/engine.ts'
import { systemClock, systemRandom } from './shell/environment.ts'
import { execute, settle } from './shell/execute.ts'
import { type HeedStream, StreamedCall } from './shell/stream.ts'

/** Where humans answer. Prompts, like marks, belong to the health: guards that share one share its prompts. */
export interface Auth {
  /** Prompts that nobody has answered yet. */
  pending(): readonly PendingPrompt[]
  /** The provider's credentials are good again: starts a new generation and wakes the calls that wait. */
  resolve(provider: string): void
  /** No: the provider is skipped, without pause or prompt, until it is resolved. */
  decline(provider: string, reason?: string): void
}

/** A chain of candidates that obeys its producers. Safe to share between any number of concurrent calls. */
export interface Guard<C extends Candidate> {
  /**
   * Runs a call to its value.
   *
   * @throws The failure as it came where it was passed through, unclassified, ambiguous or committed; the signal's own
   * reason on abort; else a `HeedError`.
   */
  execute<T, I = undefined>(
    fn: (attempt: Attempt<C, I>) => T | PromiseLike<T>,
    options?: CallOptions<C, I>,
  ): Promise<Awaited<T>>
  /**
   * Runs a call whose answer is a stream. Until its first content item it may be retried, and never after. It throws,
   * from `next()`, what `execute` throws.
   */
  stream<T, I = undefined>(
    fn: (
      attempt: Attempt<C, I>,
    ) => AsyncIterable<T> | ReadableStream<T> | PromiseLike<AsyncIterable<T> | ReadableStream<T>>,
    options?: StreamOptions<C, I, T>,
  ): HeedStream<T, C>
  /** As `execute`, with the outcome as a value. Never throws. */
  settle<T, I = undefined>(
    fn: (attempt: Attempt<C, I>) => T | PromiseLike<T>,
    options?: CallOptions<C, I>,
  ): Promise<Outcome<Awaited<T>, C>>
  /** Makes a function of `fn` whose every call is an `execute`. */
  wrap<A extends readonly unknown[], T, I = undefined>(
    fn: (attempt: Attempt<C, I>, ...args: A) => T | PromiseLike<T>,
    options?: (...args: A) => CallOptions<C, I>,
  ): (...args: A) => Promise<Awaited<T>>
  /** What operators subscribe to, and what calls share. */
  readonly health: Health
  /** Where humans answer prompts. */
  readonly auth: Auth
}

const NO_OPTIONS = Object.freeze({})

/** Stands for options of a call that are no object: the call fails, as its face does, when it reads the first. */
const WRONG_OPTIONS = Object.freeze({
  get abortSignal(): never {
    throw new TypeError('heed: the options of a call: give an object, or nothing')
  },
})

const optionsOf = (call: unknown = NO_OPTIONS): never =>
  (typeof call === 'object' && call !== null ? call : WRONG_OPTIONS) as never

/**
 * Makes a guard.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function heed<C extends Candidate>(options: HeedOptions<C>): Guard<C> {
  const policy = policyOf(options)
  const health = options.health ?? createHealth({ clock: options.clock })
  const shared = healthParts(health)
  if (shared === undefined) {
    throw new TypeError('heed: health: give what createHealth() of this copy of the package made')
  }
  const clock = shared.bindClock(options.clock)
  if (options.clock !== undefined && options.clock !== clock) {
    throw new TypeError(
      'heed: clock: the health is used with another; marks are times, so guards that share them share it',
    )
  }
  const engine = new Engine({
    policy,
    chain: Object.freeze([...options.candidates]),
    producer: options.producer,
    unknown: options.unknown ?? passThrough,
    unclassified: options.unclassified ?? passThrough,
    breaker: options.breaker,
    ...shared,
    clock,
    random: options.random ?? systemRandom,
    timeoutMs: timeLimit(options.timeoutMs),
    attemptTimeoutMs: timeLimit(options.attemptTimeoutMs),
    idleTimeoutMs: timeLimit(options.idleTimeoutMs),
    idempotent: options.idempotent ?? false,
  })
  const { desk } = shared
  // The engine knows candidates and inputs as unknown; the types that the user wrote hold from here outwards.
  const guard: Guard<Candidate> = {
    execute: (fn, call) => execute(engine, fn as never, optionsOf(call)) as Promise<never>,
    stream: (fn, call) => new StreamedCall(engine, fn as never, optionsOf(call)) as never,
    settle: (fn, call) => settle(engine, fn as never, optionsOf(call)) as Promise<never>,
    wrap:
      (fn, call) =>
      async (...args) =>
        execute(engine, (attempt) => fn(attempt, ...args), optionsOf(call?.(...args))) as Promise<never>,
    health,
    auth: {
      pending: () => desk.pending(),
      resolve: (provider) => desk.resolve(provider),
      decline: (provider, reason) => desk.decline(provider, reason),
    },
  }
  return guard as unknown as Guard<C>
}

/**
 * The configuration as the pure steps use it, defaults filled in: for a durable engine that runs `startCall`, `decide`
 * and `advance` without the loop.
 *
 * @throws TypeError where the options are wrong, naming the path and the fix.
 */
export function policyOf(options: HeedOptions<Candidate>): Policy {
  checkOptions(options)
  return Object.freeze({
    ...chainOf(options.candidates),
    limits: Object.freeze(limitsOf(options)),
    backoff: options.backoff ?? exponential(),
    auth: options.auth ?? pause,
    overflow: options.overflow ?? largerWindow,
  })
}

/** What {@link createHealth} takes. */
export interface HealthOptions {
  /** What its marks are kept by. @default that of the first guard that uses it; with a store, the process's */
  readonly clock?: Clock | undefined
  /**
   * Shares marks and prompts with the healths of other processes that have the same store. It stays connected until
   * `health.close()`. @default none: what is known here stays here, and nothing runs in the background
   */
  readonly store?: HealthStore | undefined
  /**
   * Answers a number in [0, 1). The processes that share a store spread by it the calls that all of them let go on at
   * the same time. @default Math.random
   */
  readonly random?: (() => number) | undefined
}

/**
 * Makes a health to share between guards, and through a store between processes, so that what one call was told holds
 * for the calls of all.
 *
 * @throws TypeError where the options are wrong, naming the option and the fix.
 */
export function createHealth(options: HealthOptions = {}): Health {
  const { clock, store, random = systemRandom, ...unknown } = Object(options) as HealthOptions
  const odd = Object(options) === options ? Object.keys(unknown)[0] : String(options)
  if (odd !== undefined) throw new TypeError(`createHealth: ${odd} is not an option; give clock, store or random`)
  // Both are a guard's options too, and checked as those are.
  checkOptions({ candidates: [{ id: 'any', provider: 'any' }], clock, random }, 'createHealth')
  const fraction = (): number => fractionOf(random)
  if (store === undefined) return new Health(clock, systemClock, fraction)
  if (typeof store?.Mirror !== 'function') {
    throw new TypeError(
      'createHealth: store: give a store, such as redisStore() of heed/stores/redis makes, or mirrored() of heed/stores/mirrored',
    )
  }
  return new Health(clock, systemClock, fraction, store)
}

/**
 * The value of an outcome.
 *
 * @throws What the call would have thrown.
 */
export function unwrap<T>(outcome: Outcome<T, unknown>): T {
  if (outcome.status === 'completed') return outcome.value
  throw outcome.error
}
