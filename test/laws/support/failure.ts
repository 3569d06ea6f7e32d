import type { Producer } from 'heed'
import type { Said } from './scenario.ts'

/** A failure as it is thrown. Its `aside` is what the adapter may read, and nobody else. */
export type Thrown = Error & { readonly aside?: Pick<Said, 'ambiguous' | 'scope' | 'asideHint'> }

/** Throws what a producer says: the contract's fields on the error, and beside them what only an adapter knows. */
export function thrown(said: Said): Thrown {
  const { class: stated, hint, exhausted, ambiguous, scope, asideHint, dress } = said
  return Object.assign(
    new Error(`produced ${stated ?? 'no class'}`),
    stated === undefined ? {} : { class: stated },
    hint === undefined ? {} : { retry_after_secs: hint },
    exhausted === undefined ? {} : { exhausted },
    ambiguous === undefined && scope === undefined && asideHint === undefined
      ? {}
      : { aside: { ambiguous, scope, asideHint } },
    dress ?? {},
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
      ...(aside.asideHint === undefined ? {} : { retryAfterSecs: aside.asideHint }),
    }
  },
  isContent: (item) => (item as { readonly kind?: unknown } | undefined)?.kind !== 'preamble',
}

/** The hint that a consumer must see, by the contract: seconds on the wire, else those of the adapter. */
export function hintOf({ hint, asideHint, class: stated }: Said): number | undefined {
  if (stated !== undefined && typeof hint === 'number' && hint >= 0 && Number.isFinite(hint)) return hint
  return asideHint
}

/** The class that a consumer must see. */
export function classOf({ class: stated }: Said): string | undefined {
  return stated === 'auth' ? 'auth_required' : stated
}
