import { charged, deposited } from '../core/budget.ts'
import { type Marks, NO_MARKS, type Observation, observe } from '../core/marks.ts'
import type { Budget, Policy } from '../core/policy.ts'
import type { BreakerCounter, BreakerStrategy } from '../core/strategy.ts'

/** What calls share in this process: an immutable value in a cell, with the budgets and breaker counters beside. */
export class MarkStore {
  /** Grows with each change of the marks; whoever caches a reading compares it. */
  version = 0
  /** Grows with each charge of a budget: until then, a full one stays full. */
  charges = 0
  #marks: Omit<Marks, 'budget'> = NO_MARKS
  /** A record of its own that is written to, so that a successful call pays in without copying anything. */
  readonly #budget: Record<string, number> = Object.create(null)
  readonly #breakers = new Map<string, BreakerCounter>()

  /** The marks without the budgets. */
  get current(): Omit<Marks, 'budget'> {
    return this.#marks
  }

  /** The marks as a decision sees them. The budgets go on changing: whoever keeps them must copy them. */
  get marks(): Marks {
    const { cooling, providers } = this.#marks
    return { cooling, providers, budget: this.#budget }
  }

  /** Folds an observation in. Answers the marks before and after. */
  observe(policy: Pick<Policy, 'targets'>, observation: Observation): readonly [before: Marks, after: Marks] {
    const before = this.marks
    const after = observe(policy, before, observation)
    if (after !== before) {
      this.#marks = after
      this.version += 1
    }
    return [before, after]
  }

  /** A call attempts the candidate for the first time. Answers whether the budget is full. */
  deposit(candidate: string, budget: Budget): boolean {
    const saved = this.#budget[candidate]
    const now = saved === undefined || saved < budget.cap ? deposited(saved ?? budget.start, budget) : saved
    if (now !== saved) this.#budget[candidate] = now
    return now >= budget.cap
  }

  /** A call repeats at the candidate. */
  charge(candidate: string, budget: Budget): void {
    this.charges += 1
    this.#budget[candidate] = charged(this.#budget[candidate] ?? budget.start)
  }

  /** A candidate's breaker counter, made at first sight. */
  breakerOf(candidate: string, strategy: BreakerStrategy): BreakerCounter {
    let counter = this.#breakers.get(candidate)
    if (counter === undefined) {
      counter = strategy.counter()
      this.#breakers.set(candidate, counter)
    }
    return counter
  }

  /** Clears a candidate's cooling and breaker marks. Answers whether there was anything to clear. */
  revive(candidate: string): boolean {
    const cooled = Object.values(this.#marks.cooling).some((mark) => mark.candidate === candidate)
    if (cooled) this.observe({ targets: [] }, { kind: 'revived', candidate })
    return this.#breakers.delete(candidate) || cooled
  }

  /** Repeats in hand by candidate, for the snapshot. */
  budgets(): readonly { readonly candidate: string; readonly saved: number }[] {
    return Object.entries(this.#budget).map(([candidate, saved]) => ({
      candidate,
      saved: Math.round(saved * 1e6) / 1e6,
    }))
  }
}
