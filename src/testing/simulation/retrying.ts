import type { Classification } from '../../core/classification.ts'
import type { Backoff } from '../../core/strategy.ts'
import type { Behaviour, Clients, NextStep, SimulatedCall } from './behaviour.ts'
import { mustFit, optional, type RulesOf } from './must-fit.ts'
import type { Random } from './random.ts'
import { count, fn, text } from './rules.ts'

/** What holds the retries of a client back, over all its calls. */
export interface Throttle {
  /** An attempt failed. Answers whether it may be repeated, and takes what that costs where `wanted`. */
  allows(call: SimulatedCall, wanted: boolean): boolean
  /** An attempt served. */
  served(call: SimulatedCall): void
}

/** What {@link retrying} takes. */
export interface RetryingOptions {
  readonly name: string
  /** Most repeats of a call. */
  readonly retries: number
  /** @defaultValue full jitter over 0.5 s, 1 s, 2 s, … at most 30 s: heed's own, so that only the budgets differ. */
  readonly backoff?: Backoff
  /** Makes what holds the clients back. @defaultValue nothing does */
  readonly throttle?: (clients: number) => Throttle
  /** What is repeated. @defaultValue `transient` failures and the client's own timeouts */
  readonly repeats?: (failure: Classification) => boolean
}

const ATTEMPT: NextStep = Object.freeze({ kind: 'attempt', server: 0 })
const END: NextStep = Object.freeze({ kind: 'end' })

const fullJitter: Backoff = ({ repeat, random }) => random * Math.min(30_000, 500 * 2 ** (repeat - 1))

const OPTIONS: RulesOf<RetryingOptions> = {
  name: text,
  retries: count,
  backoff: optional(fn),
  throttle: optional(fn),
  repeats: optional(fn),
}

/**
 * Clients that ask the first server again: the usual retry loop, which hints and other servers mean nothing to.
 *
 * @throws TypeError naming the option that is unknown or does not fit.
 */
export function retrying(options: RetryingOptions): Behaviour {
  mustFit(options, OPTIONS, 'retrying')
  return { name: options.name, start: (clients, random) => new RetryingClients(options, clients, random) }
}

/** Clients that ask once. */
export function noRetry(): Behaviour {
  return retrying({ name: 'no retry', retries: 0 })
}

/**
 * Clients that repeat whatever fails, up to three times, and hold nothing back.
 *
 * @throws TypeError naming the option that is unknown or does not fit.
 */
export function naiveRetry(options: { readonly retries?: number; readonly backoff?: Backoff } = {}): Behaviour {
  mustFit(options, { retries: optional(count), backoff: optional(fn) }, 'naiveRetry')
  const { retries = 3, ...rest } = options
  return retrying({ name: `naive ${retries}`, retries, repeats: () => true, ...rest })
}

class RetryingClients implements Clients {
  readonly #options: RetryingOptions
  readonly #throttle: Throttle | undefined
  readonly #backoff: Backoff
  readonly #random: Random

  constructor(options: RetryingOptions, clients: number, random: Random) {
    this.#options = options
    this.#throttle = options.throttle?.(clients)
    this.#backoff = options.backoff ?? fullJitter
    this.#random = random
  }

  begin(): NextStep {
    return ATTEMPT
  }

  failed(call: SimulatedCall, failure: Classification): NextStep {
    const { retries, repeats = isTransient } = this.#options
    if (!repeats(failure)) return END
    const wanted = call.attempts <= retries
    const allowed = this.#throttle?.allows(call, wanted) ?? true
    if (!wanted || !allowed) return END
    return { kind: 'wait', delayMs: this.#backoff({ repeat: call.attempts, random: this.#random() }) }
  }

  woken(): NextStep {
    return ATTEMPT
  }

  served(call: SimulatedCall): void {
    this.#throttle?.served(call)
  }
}

/** A failure that may pass; a timeout of the client's own is taken for one, as most retry loops take it. */
function isTransient(failure: Classification): boolean {
  return failure.class === 'transient' || (failure.class === undefined && failure.ambiguous === true)
}
