import type { Clock } from '../core/clock.ts'
import { mustBeKnown } from '../core/must-be-known.ts'
import type { Producer } from '../core/producer.ts'
import { llm } from '../producers/llm.ts'
import { systemClock } from '../shell/environment.ts'

/** How an answer that is a failure is read. */
export interface AnswerOptions {
  /**
   * States the class. Give it what the guard has: a class that stands on an error is believed before the guard's own
   * producer is asked.
   *
   * @default llm(): a weaker one, such as the status alone, would call a bill that is not paid `transient`.
   */
  readonly producer?: Producer | undefined
  /**
   * Most bytes of the body that are read, after decoding; the rest is cancelled. 0 reads none.
   *
   * @default 65_536: error bodies have a few hundred bytes, those that quote the input some thousand; what is longer
   * is a page.
   */
  readonly maxBodyBytes?: number | undefined
  /**
   * Longest time that the body may take, milliseconds; then the class comes from what there is. 0 and `Infinity` are
   * no limit.
   *
   * @default 5_000: an error body comes with its headers, and status and headers alone say nearly as much.
   */
  readonly bodyTimeoutMs?: number | undefined
  /** @default the process's clock */
  readonly clock?: Clock | undefined
}

/** The same with the defaults filled in. */
export interface AnswerSettings {
  readonly producer: Producer
  readonly maxBodyBytes: number
  /** `Infinity` is no limit; any other can be set as a timer. */
  readonly bodyTimeoutMs: number
  readonly clock: Clock
}

const NAMES = ['producer', 'maxBodyBytes', 'bodyTimeoutMs', 'clock'] satisfies readonly (keyof AnswerOptions)[]

/**
 * Checks options and fills in the defaults.
 *
 * @param more - Names of options that the owner has beside these, and checks itself.
 * @throws TypeError where they are wrong, naming the option.
 */
export function settingsOf(owner: string, options: AnswerOptions, more: readonly string[] = []): AnswerSettings {
  mustBeKnown(options, [...NAMES, ...more], owner)
  const { producer = anyFamily(), maxBodyBytes = 65_536, bodyTimeoutMs = 5_000, clock = systemClock } = options
  if (typeof producer?.classify !== 'function') {
    throw new TypeError(`${owner}: producer: give a producer, an object with classify()`)
  }
  amount(owner, 'maxBodyBytes', maxBodyBytes)
  amount(owner, 'bodyTimeoutMs', bodyTimeoutMs)
  if (!isClock(clock)) throw new TypeError(`${owner}: clock: give now, wallNow, setTimeout and clearTimeout`)
  return { producer, maxBodyBytes, bodyTimeoutMs: timerMs(bodyTimeoutMs), clock }
}

let made: Producer | undefined

/** One for all: it keeps nothing of what it reads, and its tables are dear to build. */
function anyFamily(): Producer {
  made ??= llm()
  return made
}

/** The longest that a timer waits. A limit of weeks is none. */
const MOST_TIMER_MS = 2 ** 31 - 1

function timerMs(limitMs: number): number {
  return limitMs === 0 || limitMs > MOST_TIMER_MS ? Number.POSITIVE_INFINITY : limitMs
}

function isClock(clock: Partial<Clock> | null): boolean {
  const methods = [clock?.now, clock?.wallNow, clock?.setTimeout, clock?.clearTimeout]
  return methods.every((method) => typeof method === 'function')
}

function amount(owner: string, name: string, value: unknown): void {
  if (typeof value !== 'number' || !(value >= 0)) {
    throw new TypeError(`${owner}: ${name}: give a number, 0 or more`)
  }
}
