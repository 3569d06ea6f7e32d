/** The books of a scenario: what heed said it attempted, beside what the servers counted. */

/** How often each candidate stands in a list of attempts. */
export function countAttempts(attempts) {
  return tally(attempts.map((attempt) => attempt.candidate))
}

/** How often each candidate stands in the servers' own records. */
export const countRequests = countAttempts

/**
 * One row per candidate, the ones that nobody asked included, and one for every name that only one side knows.
 *
 * @param {readonly string[]} candidates
 * @param {{ announced: Map<string, number>, reported: Map<string, number>, received: Map<string, number> }} counts
 *   attempts as events announced them, as outcomes reported them, and requests as servers received them
 */
export function ledgerOf(candidates, counts) {
  const names = new Set([
    ...candidates,
    ...counts.announced.keys(),
    ...counts.reported.keys(),
    ...counts.received.keys(),
  ])
  return [...names].map((candidate) => {
    const row = {
      candidate,
      announced: counts.announced.get(candidate) ?? 0,
      reported: counts.reported.get(candidate) ?? 0,
      received: counts.received.get(candidate) ?? 0,
    }
    return { ...row, equal: row.announced === row.received && row.reported === row.received }
  })
}

function tally(names) {
  const counts = new Map()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
