import fc from 'fast-check'
import { expect, test } from 'vitest'

/** Runs per law: 1,000, or what HEED_LAW_RUNS says. */
export const RUNS: number = Math.max(1, Number.parseInt(process.env['HEED_LAW_RUNS'] ?? '', 10) || 1_000)

/**
 * The seed of all properties, so that the same code gives the same verdict. HEED_LAW_SEED takes another; `random` takes
 * a new one each time, to look where nobody has looked.
 */
const SEED: number | undefined = seedOf(process.env['HEED_LAW_SEED'] ?? '20261130')

function seedOf(given: string): number | undefined {
  return given === 'random' ? undefined : Number.parseInt(given, 10)
}

/** Notes that something interesting came up in a run. */
export type See = (what: string) => void

/** A law as a property. */
export interface Law<T> {
  readonly given: fc.Arbitrary<T>
  readonly holds: (given: T, see: See) => void | Promise<void>
  /** What must have come up in at least one run of the property, or it was proven of nothing. */
  readonly mustSee: readonly string[]
}

/** Tests a law, and that its runs were about something. A failure prints the seed and the smallest counterexample. */
export function law<T>(name: string, { given, holds, mustSee }: Law<T>): void {
  test(
    name,
    async () => {
      const seen = new Map<string, number>()
      const see: See = (what) => {
        seen.set(what, (seen.get(what) ?? 0) + 1)
      }
      await fc.assert(
        fc.asyncProperty(given, async (value) => {
          await holds(value, see)
        }),
        SEED === undefined ? { numRuns: RUNS } : { numRuns: RUNS, seed: SEED },
      )
      // A handful of runs, as when a counterexample is replayed, need not meet everything.
      if (RUNS >= 1_000) expect(mustSee.filter((what) => !seen.has(what))).toEqual([])
    },
    Math.max(120_000, RUNS * 100),
  )
}
