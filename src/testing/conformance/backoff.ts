import type { Backoff, BackoffContext } from '../../core/strategy.ts'
import { check, show } from './check.ts'
import type { ConformanceCase } from './conformance-case.ts'

const REPEATS = 10_000
// Past the point where a doubling overflows.
const FED_REPEATS = 2_000
const RANDOMS: readonly number[] = [0, 0.5, 1 - Number.EPSILON / 2]
const PREVIOUS_MS: readonly number[] = [0, 0.1, 1, 30_000, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE]

/**
 * The rules of the `backoff` slot.
 *
 * @remarks A delay must be a number that a timer can wait for, and follow from the context alone: heed replays recorded
 * decisions and must come to the same.
 */
export function backoffConformance(backoff: Backoff): readonly ConformanceCase[] {
  const ask = (context: BackoffContext): number => {
    const delayMs: unknown = backoff(Object.freeze(context))
    check(
      typeof delayMs === 'number' && Number.isFinite(delayMs) && delayMs >= 0,
      () => `backoff(${show(context)}) answered ${show(delayMs)}; answer finite milliseconds, 0 or more`,
    )
    return delayMs
  }

  return [
    {
      name: `answers finite milliseconds, 0 or more, for repeats 1 to ${REPEATS}`,
      run: () => {
        for (const random of RANDOMS) for (let repeat = 1; repeat <= REPEATS; repeat++) ask({ repeat, random })
      },
    },
    {
      name: 'answers finite milliseconds, 0 or more, whatever the delay before was',
      run: () => {
        for (const random of RANDOMS) {
          for (const previousDelayMs of PREVIOUS_MS) ask({ repeat: 2, previousDelayMs, random })
        }
      },
    },
    {
      name: 'stays finite when fed its own delays',
      run: () => {
        for (const random of RANDOMS) {
          let previousDelayMs = ask({ repeat: 1, random })
          for (let repeat = 2; repeat <= FED_REPEATS; repeat++)
            previousDelayMs = ask({ repeat, previousDelayMs, random })
        }
      },
    },
    {
      name: 'answers the same for the same context, in any order',
      run: () => {
        const contexts = sampleContexts()
        const delays = contexts.map((context) => ask(context))
        for (let index = contexts.length - 1; index >= 0; index--) {
          const context = contexts[index] as BackoffContext
          const again = ask(context)
          check(
            again === delays[index],
            () =>
              `backoff(${show(context)}) answered ${delays[index]}, then ${again}; use no state, clock or Math.random`,
          )
        }
      },
    },
  ]
}

function sampleContexts(): readonly BackoffContext[] {
  return [1, 2, 3, 7, 50].flatMap((repeat) =>
    [...RANDOMS, 0.123].flatMap((random) => [
      { repeat, random },
      { repeat, random, previousDelayMs: 700 },
    ]),
  )
}
