/**
 * A table of a simulation's numbers.
 * @typedef {{ readonly title: string, readonly head: readonly string[], readonly rows: readonly (readonly string[])[] }} Table
 */

/** @param {Table} table */
export function markdown({ title, head, rows }) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`
  return [`### ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n')
}

/** @param {readonly number[]} numbers */
export const median = (numbers) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN

/** @param {number} share */
export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`

/**
 * Seconds to recovery: the median of the seeds, and the worst.
 * @param {readonly (number | undefined)[]} recoveries
 */
export function secs(recoveries) {
  const numbers = recoveries.map((each) => each ?? Number.POSITIVE_INFINITY)
  const say = (/** @type {number} */ number) => (number === Number.POSITIVE_INFINITY ? 'never' : String(number))
  const worst = Math.max(...numbers)
  return worst === median(numbers) ? say(worst) : `${say(median(numbers))} (${say(worst)})`
}
