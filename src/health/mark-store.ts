import { charged, deposited } from '../core/budget.ts'
import { type Marks, NO_MARKS, type Observation, observe } from '../core/marks.ts'
import type { Budget, Policy } from '../core/policy.ts'
import type { BreakerCounter, BreakerStrategy } from '../core/strategy.ts'

/** One candidate's retry budget: a cell of its own, so that a successful call pays in without copying anything. */
export interface BudgetCell {
  saved: number
}

/** What calls share in this process: an immutable value in a cell, with the budgets and breaker counters beside. */
export class MarkStore {
  /** Grows with each change of the marks; whoever caches a reading compares it. */
  version = 0
  #marks: Omit<Marks, 'budget'> = NO_MARKS
  readonly #budgets = new Map<string, BudgetCell>()
  readonly #breakers = new Map<string, BreakerCounter>()

  /** The marks without the budgets. */
  get current(): Omit<Marks, 'budget'> {
    return this.#marks
  }

  /** The marks as a decision about one of a policy's calls sees them. */
  marksFor(policy: Policy): Marks {
    const { budget } = policy.limits
    const saved: Record<string, number> = {}
    if (budget !== false) {
      for (const { candidate } of policy.candidates) {
        const cell = this.budgetOf(candidate, budget)
        // A plain assignment would not make a field of that name.
        if (candidate === '__proto__') Object.defineProperty(saved, candidate, { value: cell.saved, enumerable: true })
        else saved[candidate] = cell.saved
      }
    }
    return { cooling: this.#marks.cooling, providers: this.#marks.providers, budget: saved }
  }

  /** Folds an observation in. Answers the marks before and after. */
  observe(policy: Pick<Policy, 'targets'>, observation: Observation): readonly [before: Marks, after: Marks] {
    const before = { ...this.#marks, budget: NO_MARKS.budget }
    const after = observe(policy, before, observation)
    if (after !== before) {
      this.#marks = after
      this.version += 1
    }
    return [before, after]
  }

  /** A candidate's budget, made at first sight. */
  budgetOf(candidate: string, budget: Budget): BudgetCell {
    let cell = this.#budgets.get(candidate)
    if (cell === undefined) {
      cell = { saved: budget.start }
      this.#budgets.set(candidate, cell)
    }
    return cell
  }

  /** A call attempts the candidate for the first time. */
  deposit(candidate: string, budget: Budget): void {
    const cell = this.budgetOf(candidate, budget)
    cell.saved = deposited(cell.saved, budget)
  }

  /** A call repeats at the candidate. */
  charge(candidate: string, budget: Budget): void {
    const cell = this.budgetOf(candidate, budget)
    cell.saved = charged(cell.saved)
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
    return [...this.#budgets].map(([candidate, cell]) => ({ candidate, saved: Math.round(cell.saved * 1e6) / 1e6 }))
  }
}
