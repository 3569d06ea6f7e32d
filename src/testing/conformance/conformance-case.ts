/**
 * One rule of a slot, to run under any test runner: `for (const { name, run } of backoffConformance(mine)) test(name, run)`.
 */
export interface ConformanceCase {
  /** The rule, as a sentence about the strategy. */
  readonly name: string
  /**
   * Asks the strategy.
   *
   * @throws Error saying what the strategy was asked, what it answered and what it must answer.
   */
  readonly run: () => void
}
