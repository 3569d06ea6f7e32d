import { decorrelatedJitterGenerator, fullJitterGenerator, halfJitterGenerator } from 'cockatiel'
import type { Backoff } from '../../src/core/strategy.ts'

/** What cockatiel's retry policy gives a backoff. Of the failure a backoff learns nothing here: `result` stands in. */
export interface CockatielBackoffContext {
  /** heed's `repeat`: from 1. */
  readonly attempt: number
  /** Never aborted; heed itself ends the wait on an abort. */
  readonly signal: AbortSignal
  readonly result: { readonly error: Error }
}

/** cockatiel's `IBackoffFactory`, by shape, so that cockatiel 3 and 4 both fit. */
export interface CockatielBackoffFactory {
  next(context: CockatielBackoffContext): CockatielBackoff
}

/** cockatiel's `IBackoff`: one link, which knows its wait and the link after it. */
export interface CockatielBackoff extends CockatielBackoffFactory {
  /** Milliseconds. */
  readonly duration: number
}

interface ExponentialOptions {
  readonly generator: unknown
  readonly initialDelay: number
  readonly maxDelay: number
  readonly exponent: number
}

type Formula = (options: ExponentialOptions, repeat: number, random: number) => number

/** A chain is walked from its start for each wait; a longer walk would buy nothing but a slower retry. */
const MAX_LINKS = 128

/** cockatiel's jitter with the random number as an argument: its own generators call `Math.random`. */
const FORMULAS: ReadonlyMap<unknown, Formula> = new Map<unknown, Formula>([
  [fullJitterGenerator, (options, repeat, random) => Math.floor(random * ceilingMs(options, repeat))],
  [
    halfJitterGenerator,
    (options, repeat, random) => Math.floor((ceilingMs(options, repeat) + random * ceilingMs(options, repeat)) / 2),
  ],
  [decorrelatedJitterGenerator, decorrelatedMs],
])

/**
 * Takes a backoff of cockatiel: `ExponentialBackoff`, `ConstantBackoff`, `IterableBackoff`, `DelegateBackoff` or any of
 * that shape.
 *
 * @remarks The delay is cockatiel's; the wait is heed's, since cockatiel's cannot be aborted. heed replays decisions,
 * so a backoff may depend on its context alone: for cockatiel's full, half and decorrelated (its default) jitter the
 * same formula runs here on the context's `random`. Every other chain is walked from its first link to this repeat's,
 * 128 at most; later repeats wait as the 128th. A delegate or generator of your own, or one from a second copy of
 * cockatiel, that calls `Math.random` still does, and then answers differently each time.
 * @throws TypeError for what is no factory or has no first wait (an empty `IterableBackoff`); when asked, for a link
 * whose duration is not a number, 0 or more.
 */
export function fromCockatiel(factory: CockatielBackoffFactory): Backoff {
  if (typeof factory?.next !== 'function') {
    throw new TypeError('fromCockatiel: factory has no next(); give a backoff such as new ExponentialBackoff()')
  }
  const { options } = factory as { readonly options?: ExponentialOptions }
  const formula = FORMULAS.get(options?.generator)
  const durationMs: Backoff = ({ repeat, random }) => {
    const link = Math.min(repeat, MAX_LINKS)
    return checked(options && formula ? formula(options, link, random) : durationOfLink(factory, link), link)
  }
  durationMs({ repeat: 1, random: 0 })
  return durationMs
}

function durationOfLink(factory: CockatielBackoffFactory, count: number): number {
  const { signal } = new AbortController()
  const result = { error: new Error('heed tells a backoff nothing of the failure') }
  let link = factory.next({ attempt: 1, signal, result })
  for (let attempt = 2; attempt <= count; attempt++) link = link.next({ attempt, signal, result })
  return link.duration
}

function checked(durationMs: number, link: number): number {
  if (typeof durationMs === 'number' && durationMs >= 0) return Math.min(durationMs, Number.MAX_SAFE_INTEGER)
  const given = String(durationMs)
  throw new TypeError(`fromCockatiel: the duration of link ${link} is ${given}; give milliseconds, 0 or more`)
}

// Doubles whatever `exponent` says, as cockatiel does.
function ceilingMs({ initialDelay, maxDelay }: ExponentialOptions, repeat: number): number {
  return Math.min(maxDelay, initialDelay * 2 ** (repeat - 1))
}

// Polly's "decorrelated jitter V2": a difference of two draws on a smooth curve, scaled by 1 / 1.4.
function decorrelatedMs(
  { initialDelay, maxDelay, exponent }: ExponentialOptions,
  repeat: number,
  random: number,
): number {
  const at = (t: number): number => exponent ** t * Math.tanh(Math.sqrt(4 * t))
  // The draw of the repeat before: the low bits of this one, which are as good as a number of their own.
  const before = repeat === 1 ? 0 : at(repeat - 2 + ((random * 2 ** 16) % 1))
  const next = at(repeat - 1 + random)
  const grown = Number.isFinite(next) ? Math.max(0, next - before) : Number.POSITIVE_INFINITY
  return Math.min(grown * (1 / 1.4) * initialDelay, maxDelay)
}
