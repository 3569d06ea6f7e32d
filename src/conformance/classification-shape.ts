import { ERROR_CLASS_WIRE_SET, isErrorClass } from '../core/classification.ts'
import { isHint } from '../core/delay.ts'
import { check, show } from '../testing/conformance/check.ts'

/** Whether an adapter's answer is one that heed can use: nothing, or fields of their types with a class of the set. */
export function checkClassification(what: string, answer: unknown): void {
  if (answer === undefined) return
  const said = (field: string, value: unknown): string => `${what} answered ${field} ${show(value)}`
  check(
    typeof answer === 'object' && answer !== null,
    () => `${what} answered ${show(answer)}; answer nothing or a classification`,
  )
  const { class: stated, retryAfterSecs, ambiguous, exhausted, scope } = answer as Record<string, unknown>
  check(
    stated === undefined || (typeof stated === 'string' && isErrorClass(stated)),
    () => `${said('class', stated)}; state one of ${show(ERROR_CLASS_WIRE_SET)}, or undefined`,
  )
  check(
    retryAfterSecs === undefined || isHint(retryAfterSecs),
    () => `${said('retryAfterSecs', retryAfterSecs)}; give a finite number of seconds, 0 or more, or leave it out`,
  )
  for (const [field, value] of Object.entries({ ambiguous, exhausted })) {
    check(
      value === undefined || typeof value === 'boolean',
      () => `${said(field, value)}; give a boolean, or leave it out`,
    )
  }
  check(scope === undefined || scope === 'provider', () => `${said('scope', scope)}; give 'provider', or leave it out`)
}
