import { readFileSync } from 'node:fs'
import type { Classification } from '../../src/core/classification.ts'
import type { FamilyId } from '../../src/producers/index.ts'

/** A failure as it was seen, and what it is. */
export interface Answer {
  readonly id: string
  readonly provider: FamilyId
  readonly surface: 'http' | 'sse' | 'eventstream' | 'thrown'
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly expected: { readonly class: string | null; readonly retry_after_secs?: number; readonly ambiguous?: true }
}

/** A fixed wall clock: no case's answer depends on it. */
export const env = { nowMs: 1_787_400_000_000 } as const

export const answers: readonly Answer[] = readFileSync(new URL('./data/answers.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Answer)

/** The answer as plain facts. */
export const factsOf = ({ status, headers, body }: Answer): Record<string, unknown> => ({ status, headers, body })

/** What an adapter said, in the terms of the data: a hint may be rounded up to whole seconds, and is compared so. */
export function verdictOf(found: Classification | undefined): Answer['expected'] {
  return {
    class: found?.class ?? null,
    ...(found?.ambiguous === true ? { ambiguous: true as const } : undefined),
    ...(found?.retryAfterSecs === undefined ? undefined : { retry_after_secs: found.retryAfterSecs }),
  }
}

/** Whether a verdict is right: the class and the ambiguity exactly, the hint never below and at most rounded up. */
export function isRight(found: Classification | undefined, expected: Answer['expected']): boolean {
  const got = verdictOf(found)
  if (got.class !== expected.class || got.ambiguous !== expected.ambiguous) return false
  const [hint, wanted] = [got.retry_after_secs, expected.retry_after_secs]
  if (wanted === undefined || hint === undefined) return hint === wanted
  return wanted <= hint && hint <= Math.ceil(wanted)
}
