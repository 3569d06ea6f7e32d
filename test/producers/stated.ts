import { readFileSync } from 'node:fs'
import type { Classification } from '../../src/core/classification.ts'
import { type FamilyId, producers } from '../../src/producers/index.ts'
import { combine } from '../../src/wire/combine.ts'
import { readClassification } from '../../src/wire/read-classification.ts'

/** A body in which a source states itself what went wrong, and what a consumer must end with. */
export interface Stated {
  readonly id: string
  readonly producer: FamilyId
  readonly status?: number
  readonly body: unknown
  readonly expected: {
    /** `null`: no class may be assigned. `passthrough`: a class that nobody knows arrives as it is. */
    readonly class: string | null
    readonly retry_after_secs?: number
    readonly ambiguous?: true
    readonly scope?: 'provider'
  }
}

/** A fixed wall clock, an hour before the one reset that the bodies state as an instant. */
export const env = { nowMs: 1_790_000_000_000 } as const

export const bodies: readonly Stated[] = readFileSync(new URL('./data/stated.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Stated)

/** What the middleware ends with: the wire and the adapter, together. */
export function ended(stated: Stated, raw: unknown): Stated['expected'] {
  return verdict(combine(readClassification(raw), producers[stated.producer].classify(raw, env)))
}

/** A classification in the terms of the data. */
export function verdict(found: Classification | undefined): Stated['expected'] {
  return {
    class: found?.class ?? null,
    ...(found?.ambiguous === true ? { ambiguous: true as const } : undefined),
    ...(found?.retryAfterSecs === undefined ? undefined : { retry_after_secs: found.retryAfterSecs }),
    ...(found?.scope === undefined ? undefined : { scope: found.scope }),
  }
}

/** What is to be expected, with the class that is passed through spelled out. */
export function wanted({ body, expected }: Stated): Stated['expected'] {
  return expected.class === 'passthrough' ? { ...expected, class: (body as { class: string }).class } : expected
}

/** The same without what only the wire reads. */
export function wantedOfAdapter(stated: Stated): Stated['expected'] {
  return stated.expected.class === 'passthrough' ? { class: null } : stated.expected
}
