import { type Behaviour, recoverySecs, type SimulationResult, simulate } from 'heed/testing'

export const SEEDS = [1, 2, 3, 4, 5] as const

/** A brown-out of 10 s at half capacity under 80 % load, with 1 s of patience and no shedding. */
export interface BrownOut {
  readonly behaviour: Behaviour
  readonly clients: number
  readonly seed: number
  /** Seconds of calm before it, in which budgets fill. */
  readonly warmSecs?: number
}

/** Runs one; times are in seconds. */
export function brownOut({ behaviour, clients, seed, warmSecs = 20 }: BrownOut): {
  readonly result: SimulationResult
  readonly fromSec: number
  readonly untilSec: number
  readonly recovery: number | undefined
} {
  const untilSec = warmSecs + 10
  const result = simulate({
    seed,
    clients,
    callsPerSec: 80,
    forMs: (untilSec + 150) * 1_000,
    timeoutMs: 1_000,
    servers: [
      {
        capacityPerSec: 100,
        phases: [{ kind: 'brown_out', fromMs: warmSecs * 1_000, untilMs: untilSec * 1_000, capacity: 0.5 }],
      },
    ],
    behaviour,
  })
  return { result, fromSec: warmSecs, untilSec, recovery: recoverySecs(result.seconds, untilSec) }
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN
}
