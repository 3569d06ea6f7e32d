import type { ErrorClass } from '../core/classification.ts'

/**
 * The three kinds of "quota exceeded", which all arrive as HTTP 429 (contract, "Quota-429 mapping rule"), one of each as
 * it looks at this source.
 */
export interface QuotaSamples<S> {
  /** A human must pay; no waiting mends it: `permanent`. */
  readonly billing: S
  /** It is whole again by itself, after hours or a day: `transient`, with the wait where the source states one. */
  readonly window: S
  /** Nobody can tell which: `transient`, for a healthy source that is called dead costs more than a few retries. */
  readonly unclear: S
}

const CLASSES: Readonly<Record<keyof QuotaSamples<unknown>, ErrorClass>> = {
  billing: 'permanent',
  window: 'transient',
  unclear: 'transient',
}

/** The samples with the class that the rule gives each. A source without quotas has none. */
export function quotaSamples<S extends object>(
  quota: QuotaSamples<S> | false,
): readonly (S & { readonly name: string; readonly class: ErrorClass })[] {
  if (quota === false) return []
  return (['billing', 'window', 'unclear'] as const).map((kind) => ({
    ...quota[kind],
    name: `quota.${kind}`,
    class: CLASSES[kind],
  }))
}
