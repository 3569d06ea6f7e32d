import type { Classification } from '../../core/classification.ts'
import type { UnknownStrategy } from '../../core/strategy.ts'
import { check, show } from './check.ts'
import type { ConformanceCase } from './conformance-case.ts'
import { oddErrors } from './odd-errors.ts'

const CLASSIFICATIONS: readonly Classification[] = [
  { class: undefined },
  { class: 'quota_window' },
  { class: '' },
  { class: undefined, ambiguous: true },
  { class: 'quota_window', ambiguous: true, retryAfterSecs: 7 },
  { class: 'quota_window', retryAfterSecs: 0 },
  { class: 'quota_window', exhausted: true, retryAfterSecs: 3_600, scope: 'provider', detail: { code: 'x' } },
].map((classification) => Object.freeze(classification) as Classification)

/**
 * The rules of the `unknown` and `unclassified` slots.
 *
 * @remarks A mapping may say what a failure is, never that it is safer than the producer said: what may have been
 * executed stays ambiguous, what a heed below gave up stays given up, and a hint is a floor.
 */
export function unknownConformance(unknown: UnknownStrategy): readonly ConformanceCase[] {
  const ask = (label: string, error: unknown, given: Classification): Classification | undefined => {
    try {
      return unknown(error, given)
    } catch (cause) {
      throw new Error(`for ${label}, ${show(given)} it threw; answer undefined for what it cannot read`, { cause })
    }
  }
  const each = (rule: (given: Classification, answer: Classification, asked: () => string) => void) => (): void => {
    for (const given of CLASSIFICATIONS) {
      for (const [label, error] of oddErrors()) {
        const answer = ask(label, error, given)
        const asked = (): string => `for ${label}, ${show(given)} it answered ${show(answer)}`
        if (answer !== undefined) rule(given, answer, asked)
      }
    }
  }

  return [
    {
      name: 'answers undefined or a classification, whatever was thrown',
      run: each((_given, answer, asked) => {
        check(isClassification(answer), () => `${asked()}; answer undefined or a classification with valid fields`)
      }),
    },
    {
      name: 'never drops ambiguous',
      run: each((given, answer, asked) => {
        const kept = given.ambiguous !== true || answer.ambiguous === true
        check(kept, () => `${asked()}; keep ambiguous: the request may have been executed`)
      }),
    },
    {
      name: 'never drops exhausted',
      run: each((given, answer, asked) => {
        const kept = given.exhausted !== true || answer.exhausted === true
        check(kept, () => `${asked()}; keep exhausted: the attempts below would multiply`)
      }),
    },
    {
      name: 'never shortens a hint of what it calls transient',
      run: each((given, answer, asked) => {
        const kept = answer.class !== 'transient' || (answer.retryAfterSecs ?? 0) >= (given.retryAfterSecs ?? 0)
        check(kept, () => `${asked()}; keep retryAfterSecs: it is a floor`)
      }),
    },
    {
      name: 'answers the same for the same failure',
      run: () => {
        const errors = oddErrors()
        const askAll = (): readonly string[] =>
          CLASSIFICATIONS.flatMap((given) => errors.map(([label, error]) => show(ask(label, error, given))))
        const first = askAll()
        const again = askAll()
        const differs = first.findIndex((answer, index) => answer !== again[index])
        check(differs === -1, () => `it answered ${first[differs]}, then ${again[differs]}; keep no state`)
      },
    },
  ]
}

function isClassification(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { class: name, retryAfterSecs, ambiguous, scope, exhausted } = value as Record<string, unknown>
  return (
    (name === undefined || typeof name === 'string') &&
    (retryAfterSecs === undefined || (Number.isFinite(retryAfterSecs) && (retryAfterSecs as number) >= 0)) &&
    (ambiguous === undefined || typeof ambiguous === 'boolean') &&
    (exhausted === undefined || typeof exhausted === 'boolean') &&
    (scope === undefined || scope === 'provider')
  )
}
