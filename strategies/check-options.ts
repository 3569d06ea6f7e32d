/**
 * Refuses what is no object of options, and options that nothing reads: either would be ignored without a word.
 *
 * @param names - Those that there are, as the message says them: `baseMs, maxMs or factor`.
 * @throws TypeError naming the strategy, what is no option and those that there are.
 */
export function checkOptions(given: unknown, strategy: string, names: string): void {
  const known = names.split(/, | or /)
  const odd =
    typeof given === 'object' && given ? Object.keys(given).find((name) => !known.includes(name)) : String(given)
  if (odd !== undefined) throw new TypeError(`${strategy}: ${odd} is no option; give ${names}`)
}
