import type { BreakerCounter, BreakerStrategy } from '../../core/strategy.ts'
import { check, show } from './check.ts'
import type { ConformanceCase } from './conformance-case.ts'

const MOST_FAILURES = 1_000_000
// So many that one failure among them is below any share worth a breaker.
const SUCCESSES = 10_000

/**
 * The rules of the `breaker` slot.
 *
 * @remarks Run it with a strategy whose window, if it has one, is far longer than the suite takes (a second at most).
 */
export function breakerConformance(breaker: BreakerStrategy): readonly ConformanceCase[] {
  return [
    {
      name: 'cools for finite milliseconds, more than 0',
      run: () => {
        const { coolMs } = breaker
        check(Number.isFinite(coolMs) && coolMs > 0, () => `coolMs is ${show(coolMs)}; give milliseconds, more than 0`)
      },
    },
    {
      name: 'opens under failures only',
      run: () => {
        failuresToOpen(breaker.counter())
      },
    },
    {
      name: 'never opens for successes',
      run: () => {
        const needed = failuresToOpen(breaker.counter())
        const counter = breaker.counter()
        for (let count = 0; count < SUCCESSES; count++) counter.success()
        check(
          needed === 1 || !failed(counter),
          () => `after ${SUCCESSES} successes one failure opened it, but it needs ${needed} without them`,
        )
      },
    },
    {
      name: 'counts each candidate apart',
      run: () => {
        const first = breaker.counter()
        const second = breaker.counter()
        // Closes both, so that a counter that all cases share is as new too.
        first.success()
        second.success()
        const needed = failuresToOpen(first)
        const apart = failuresToOpen(second)
        check(
          apart === needed,
          () => `a counter beside an opened one opened after ${apart} failures, not ${needed}; share nothing`,
        )
      },
    },
    {
      name: 'opens again when the probe fails',
      run: () => {
        const counter = breaker.counter()
        failuresToOpen(counter)
        for (let probe = 1; probe <= 3; probe++) {
          check(
            failed(counter),
            () => `after it opened, failed probe ${probe} answered false; answer true until a success`,
          )
        }
      },
    },
    {
      name: 'closes when the probe succeeds',
      run: () => {
        const needed = failuresToOpen(breaker.counter())
        const counter = breaker.counter()
        failuresToOpen(counter)
        counter.success()
        // A success may count as one of the outcomes that a rate needs, so two failures can be enough for both.
        check(
          needed <= 2 || !failed(counter),
          () => `after a successful probe one failure opened it; it needs ${needed} when new`,
        )
      },
    },
  ]
}

function failed(counter: BreakerCounter): boolean {
  const opens: unknown = counter.failure()
  check(typeof opens === 'boolean', () => `failure() answered ${show(opens)}; answer whether the breaker opens`)
  return opens
}

function failuresToOpen(counter: BreakerCounter): number {
  for (let count = 1; count <= MOST_FAILURES; count++) if (failed(counter)) return count
  throw new Error(`${MOST_FAILURES} failures in a row did not open it; open at some point`)
}
