import type { OverflowContext, OverflowStrategy, Window } from '../../core/strategy.ts'
import { check, show } from './check.ts'
import type { ConformanceCase } from './conformance-case.ts'

const FAILED: Window = Object.freeze({ id: 'small', contextWindow: 8_000 })
const CHAINS: readonly (readonly Window[])[] = [
  [],
  [{ id: 'mid', contextWindow: 32_000 }],
  [
    { id: 'large', contextWindow: 1_000_000 },
    { id: 'mid', contextWindow: 32_000 },
    { id: 'mid-too', contextWindow: 32_000 },
  ],
]
const INPUT_TOKENS: readonly (number | undefined)[] = [undefined, 0, 9_000, 32_000, 32_001, 2_000_000]

/**
 * The rules of the `overflow` slot.
 *
 * @remarks The answer must be one that heed can follow, so that an overflow only goes up and the call ends.
 */
export function overflowConformance(overflow: OverflowStrategy): readonly ConformanceCase[] {
  const ask = (context: OverflowContext): unknown => overflow(context)
  const contexts = sampleContexts()
  const each = (rule: (context: OverflowContext, answer: unknown) => void) => (): void => {
    for (const context of contexts) rule(context, ask(context))
  }
  const chosen = (context: OverflowContext, answer: unknown): Window | undefined =>
    context.eligible.find(({ id }) => id === answer)

  return [
    {
      name: "answers an eligible candidate's id, 'reduce', 'surface' or undefined",
      run: each((context, answer) => {
        check(
          answer === undefined || answer === 'reduce' || answer === 'surface' || chosen(context, answer) !== undefined,
          () =>
            `overflow(${show(context)}) answered ${show(answer)}; answer an id of eligible, 'reduce', 'surface' or undefined`,
        )
      }),
    },
    {
      name: "answers 'reduce' only when the input can be reduced",
      run: each((context, answer) => {
        check(
          answer !== 'reduce' || context.canReduce,
          () => `overflow(${show(context)}) answered reduce; canReduce is false, so choose a window or undefined`,
        )
      }),
    },
    {
      name: 'chooses no window that inputTokens exceeds',
      run: each((context, answer) => {
        const window = chosen(context, answer)?.contextWindow ?? Number.POSITIVE_INFINITY
        check(
          context.inputTokens === undefined || window >= context.inputTokens,
          () => `overflow(${show(context)}) answered ${show(answer)}; the input is known not to fit there`,
        )
      }),
    },
    {
      name: 'answers the same for the same context, in any order',
      run: () => {
        const answers = contexts.map(ask)
        for (let index = contexts.length - 1; index >= 0; index--) {
          const context = contexts[index] as OverflowContext
          const again = ask(context)
          check(
            again === answers[index],
            () => `overflow(${show(context)}) answered ${show(answers[index])}, then ${show(again)}; keep no state`,
          )
        }
      },
    },
  ]
}

// Frozen all through: a strategy that sorts the list in place fails here, where nobody else reads it.
function sampleContexts(): readonly OverflowContext[] {
  return CHAINS.flatMap((chain) =>
    INPUT_TOKENS.flatMap((inputTokens) =>
      [true, false].map((canReduce) => {
        const eligible = Object.freeze(chain.map((window) => Object.freeze({ ...window })))
        const known = inputTokens === undefined ? {} : { inputTokens }
        return Object.freeze({ failed: FAILED, eligible, canReduce, ...known })
      }),
    ),
  )
}
