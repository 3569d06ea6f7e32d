import { isLate } from './thenable.ts'

/** A number in [0, 1) of a random source: one of the user's that throws or answers nonsense spreads nothing. */
export function fractionOf(random: () => number): number {
  try {
    const fraction = random()
    if (fraction >= 0 && fraction < 1) return fraction
    isLate(fraction)
    return 0
  } catch {
    return 0
  }
}
