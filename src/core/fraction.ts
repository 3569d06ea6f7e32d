/** A number in [0, 1) of a random source: one of the user's that throws or answers nonsense spreads nothing. */
export function fractionOf(random: () => number): number {
  try {
    const fraction = random()
    return fraction >= 0 && fraction < 1 ? fraction : 0
  } catch {
    return 0
  }
}
