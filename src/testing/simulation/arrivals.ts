import type { Random } from './random.ts'

/** When calls start and at which client, whatever became of the calls before: an open loop. */
export interface Arrivals {
  /** When the next call starts, in milliseconds. */
  readonly nextMs: number
  /** Takes that call: answers its client, and goes on to the one after. */
  take(): number
}

/** Calls of many independent clients: exponential gaps in all, each call at a client drawn evenly. */
export function poisson(callsPerSec: number, clients: number, random: Random): Arrivals {
  const meanMs = 1_000 / callsPerSec
  // 1 - random is never 0, whose logarithm would be no gap at all.
  const gap = (): number => -Math.log(1 - random()) * meanMs
  let nextMs = gap()
  return {
    get nextMs() {
      return nextMs
    },
    take: () => {
      nextMs += gap()
      return Math.floor(random() * clients)
    },
  }
}

/** A call every `1 / callsPerSec` seconds from 0 on, at one client after the other: what can be computed by hand. */
export function even(callsPerSec: number, clients: number): Arrivals {
  let taken = 0
  return {
    get nextMs() {
      return (taken * 1_000) / callsPerSec
    },
    take: () => {
      taken += 1
      return (taken - 1) % clients
    },
  }
}
