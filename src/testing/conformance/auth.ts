import type { AuthContext, AuthStrategy } from '../../core/strategy.ts'
import { check, show } from './check.ts'
import type { ConformanceCase } from './conformance-case.ts'

const PROVIDERS: readonly string[] = ['anthropic', 'a provider never heard of', '']

/**
 * The rules of the `auth` slot.
 *
 * @remarks The answer must be one that heed can follow: `'advance'` with nowhere to go is not.
 */
export function authConformance(auth: AuthStrategy): readonly ConformanceCase[] {
  const ask = (context: AuthContext): unknown => auth(Object.freeze(context))
  const contexts = PROVIDERS.flatMap((provider) => [
    { provider, otherProviderEligible: true },
    { provider, otherProviderEligible: false },
  ])

  return [
    {
      name: "answers 'pause', 'advance' or 'surface'",
      run: () => {
        for (const context of contexts) {
          const answer = ask(context)
          check(
            answer === 'pause' || answer === 'advance' || answer === 'surface',
            () => `auth(${show(context)}) answered ${show(answer)}; answer 'pause', 'advance' or 'surface'`,
          )
        }
      },
    },
    {
      name: "answers 'advance' only when another provider is eligible",
      run: () => {
        for (const context of contexts) {
          if (context.otherProviderEligible) continue
          check(
            ask(context) !== 'advance',
            () => `auth(${show(context)}) answered advance; without another provider answer 'pause' or 'surface'`,
          )
        }
      },
    },
    {
      name: 'answers the same for the same context, in any order',
      run: () => {
        const answers = contexts.map(ask)
        for (let index = contexts.length - 1; index >= 0; index--) {
          const context = contexts[index] as AuthContext
          const again = ask(context)
          check(
            again === answers[index],
            () => `auth(${show(context)}) answered ${show(answers[index])}, then ${show(again)}; keep no state`,
          )
        }
      },
    },
  ]
}
