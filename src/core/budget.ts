import type { Budget } from './policy.ts'

/** Ten deposits of 0.1 are a hair under 1. */
const ONE = 1 - 1e-6

/** What a candidate has saved after it has served a call: from then on never more than the cap. */
export function deposited(saved: number, budget: Budget): number {
  return Math.min(budget.cap, saved + budget.deposit)
}

/** What is left after a repeat. */
export function charged(saved: number): number {
  return Math.max(0, saved - 1)
}

/** Whether a repeat can be paid for. It fails fast: a budget that waits for tokens deadlocks. */
export function affordsRepeat(saved: number): boolean {
  return saved > ONE
}
