import type { Seconds } from './simulation.ts'

/**
 * Seconds from a time until goodput is back for good: until the first second from which on, in every second to the end,
 * at least a share of the calls that started in it was served.
 *
 * @param afterSec - Whole second at which the trouble ends.
 * @param share - Of the calls. @defaultValue 0.95
 * @returns Whole seconds; `undefined` where it never is.
 */
export function recoverySecs({ started, served }: Seconds, afterSec: number, share = 0.95): number | undefined {
  let last = started.length
  // Seconds after the last start are those in which the last calls settle.
  while (last > 0 && started[last - 1] === 0) last -= 1
  let good = last
  while (good > afterSec && (served[good - 1] as number) >= share * (started[good - 1] as number)) good -= 1
  return good === last ? undefined : good - afterSec
}

/** The share of the calls started in some seconds, from one to before another, that were served. */
export function goodput({ started, served }: Seconds, fromSec: number, untilSec: number): number {
  return sum(served, fromSec, untilSec) / sum(started, fromSec, untilSec)
}

/** Attempts per started call in some seconds, from one to before another: 1 where nothing is repeated. */
export function load({ started, attempts }: Seconds, fromSec: number, untilSec: number): number {
  return sum(attempts, fromSec, untilSec) / sum(started, fromSec, untilSec)
}

function sum(counts: Int32Array, fromSec: number, untilSec: number): number {
  let total = 0
  for (let second = fromSec; second < untilSec; second += 1) total += counts[second] ?? 0
  return total
}
