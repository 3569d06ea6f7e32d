import { isHint } from '../core/delay.ts'
import { check, show } from '../testing/conformance/check.ts'

/**
 * Whether a stated wait is the sample's: in seconds, and at most rounded up to the next whole one.
 *
 * @param statedSecs - What the producer said.
 * @param sampleSecs - What its source said; nothing where that said nothing.
 */
export function checkWait(name: string, field: string, statedSecs: unknown, sampleSecs: number | undefined): void {
  const said = (): string => `${name}: ${field} is ${show(statedSecs)}`
  if (sampleSecs === undefined) {
    check(statedSecs === undefined, () => `${said()}; the source stated no wait, so leave it out`)
    return
  }
  check(statedSecs !== undefined, () => `${name}: ${field} is missing; the source stated ${sampleSecs} s`)
  check(isHint(statedSecs), () => `${said()}; give a finite number of seconds, 0 or more`)
  const isMillis = sampleSecs > 0 && Math.round(statedSecs) === Math.round(sampleSecs * 1_000)
  check(!isMillis, () => `${said()}; these are milliseconds, give ${sampleSecs} s`)
  const isRight = statedSecs >= sampleSecs && statedSecs <= Math.ceil(sampleSecs)
  check(isRight, () => `${said()}; the source stated ${sampleSecs} s, which may be rounded up to a whole second only`)
}
