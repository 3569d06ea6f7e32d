/** Turns an event of the health channel into the cells of one line of the timeline. Nothing a provider wrote is in it. */

export const HEAD = ['time', 'candidate', 'class', 'decision', 'reason', 'wait']

const WIDTHS = [9, 28, 17, 14, 16]

/**
 * @param {string} name
 * @param {Record<string, any>} event
 * @returns {{ candidate: string, class: string, decision: string, reason: string, wait: string }}
 */
export function rowOf(name, event) {
  return {
    candidate: event.candidate ?? event.provider ?? '',
    class: event.class ?? '',
    decision: name === 'attempt' && event.number !== undefined ? `attempt ${event.number}` : name,
    reason: reasonOf(event),
    wait: waitOf(name, event),
  }
}

/** One line of the timeline. */
export function lineOf(time, row) {
  const cells = [time, row.candidate, row.class, row.decision, row.reason]
  return `${cells.map((cell, column) => cell.padEnd(WIDTHS[column])).join(' ')} ${row.wait}`.trimEnd()
}

/** Seconds since the scenario began. */
export function timeOf(sinceMs) {
  return `+${(sinceMs / 1000).toFixed(3)}s`
}

/** A length of time, in the unit a person would use. */
export function durationOf(ms) {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`
  if (ms < 120_000) return `${(ms / 1000).toFixed(2)} s`
  const minutes = Math.round(ms / 60_000)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Decisions have a reason; other events say in a field of their own what they came from. */
function reasonOf(event) {
  if (event.ambiguous === true) return 'ambiguous'
  return event.reason ?? event.found ?? event.outcome ?? event.by ?? ''
}

function waitOf(name, event) {
  if (name === 'failure') {
    return event.retryAfterSecs === undefined ? '' : `hint: not before ${durationOf(event.retryAfterSecs * 1000)}`
  }
  if (name === 'cooling') return `for ${durationOf(event.forMs)}`
  if (name === 'pause') return `at most ${durationOf(event.maxMs)}`
  if (name === 'resume') return `after ${durationOf(event.pausedMs)}`
  if (event.delayMs === undefined) return ''
  return event.delayMs === 0 ? 'at once' : durationOf(event.delayMs)
}
