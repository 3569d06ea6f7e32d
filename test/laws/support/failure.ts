import type { Producer } from 'heed'
import type { Said } from './scenario.ts'

/** A failure as it is thrown. Its `aside` is what the adapter may read, and nobody else. */
export type Thrown = Error & { readonly aside?: Pick<Said, 'ambiguous' | 'scope'> }

/** Throws what a producer says: the contract's fields on the error, and beside them what only an adapter knows. */
export function thrown(said: Said): Thrown {
  const { class: stated, hint, exhausted, ambiguous, scope } = said
  return Object.assign(
    new Error(`produced ${stated ?? 'no class'}`),
    stated === undefined ? {} : { class: stated },
    hint === undefined ? {} : { retry_after_secs: hint },
    exhausted === undefined ? {} : { exhausted },
    ambiguous === undefined && scope === undefined ? {} : { aside: { ambiguous, scope } },
  )
}

/** The adapter of the laws: adds what it alone knows, and states no class. */
export const asideProducer: Producer = {
  classify: (raw) => {
    const aside = (raw as Thrown | undefined)?.aside
    if (aside === undefined) return undefined
    return {
      class: undefined,
      ...(aside.ambiguous === undefined ? {} : { ambiguous: aside.ambiguous }),
      ...(aside.scope === undefined ? {} : { scope: aside.scope }),
    }
  },
  isContent: (item) => (item as { readonly kind?: unknown } | undefined)?.kind !== 'preamble',
}
