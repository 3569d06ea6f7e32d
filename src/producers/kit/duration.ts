/** Durations as providers write them: `7m12s`, `579ms`, `71h15m27.79s`, `1 hour 5 minutes`. */

const PART =
  /[\s,]{0,3}(?:and )?([\d.]{1,24})\s{0,3}(milliseconds?|millis|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])/iy

/** At most days, hours, minutes, seconds, milliseconds: no duration has more parts. */
const MOST_PARTS = 5

/** A plain decimal: no sign, exponent, hex or separators. */
const DECIMAL = /^\d{1,15}$|^\d{0,15}\.\d{1,15}$/

/** A non-negative decimal number, or nothing. */
export function readDecimal(text: string): number | undefined {
  const trimmed = text.trim()
  return DECIMAL.test(trimmed) ? Number(trimmed) : undefined
}

/** The duration that begins at `at`, in seconds: one or more numbers with units, of which the first is required. */
export function durationAt(text: string, at: number): number | undefined {
  let secs: number | undefined
  PART.lastIndex = at
  for (let parts = 0; parts < MOST_PARTS; parts += 1) {
    const found = PART.exec(text)
    if (found === null) break
    const amount = readDecimal(found[1]?.replace(/\.$/, '') ?? '')
    if (amount === undefined) break
    secs = (secs ?? 0) + amount * unitSecs(found[2] ?? 's')
  }
  PART.lastIndex = 0
  return secs
}

/** The whole text as a duration, in seconds. `1h30` and `12 apples` are none. */
export function readDuration(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed.length > 64 || !/^\d/.test(trimmed) || !/[a-z]$/i.test(trimmed)) return undefined
  const secs = durationAt(trimmed, 0)
  // What follows the last part would be read as nothing, so the parts must account for every number in the text.
  return secs !== undefined && countNumbers(trimmed) === countParts(trimmed) ? secs : undefined
}

/**
 * The duration that follows one of `leads` in a text in lower case, as in "try again in 7m12s". Every lead ends in one of
 * the joints, which are looked for first: a text has few of them.
 */
export function durationAfter(text: string, leads: readonly string[]): number | undefined {
  if (!JOINED.test(text)) return undefined
  for (const joint of JOINTS) {
    for (let at = text.indexOf(joint), tries = 0; at >= 0 && tries < 16; at = text.indexOf(joint, at + 1), tries += 1) {
      const end = at + joint.length - 1
      if (!mayFollow(text, end)) continue
      const before = text.slice(Math.max(0, end - 32), end)
      const secs = leads.some((lead) => before.endsWith(lead)) ? durationAt(text, end) : undefined
      if (secs !== undefined) return secs
    }
  }
  return undefined
}

const JOINTS = [' in ', ' after ']

/** Few texts have a joint before what may be a number, and one pass tells it of both. */
const JOINED = / (?:in|after) [\d., a]/

/** Most words after a joint are no number: looking at one character spares the rest. */
function mayFollow(text: string, end: number): boolean {
  const next = text.charAt(end + 1)
  return (next >= '0' && next <= '9') || next === '.' || next === ' ' || next === ',' || next === 'a'
}

function unitSecs(unit: string): number {
  const lower = unit.toLowerCase()
  if (lower.startsWith('ms') || lower.startsWith('mil')) return 0.001
  if (lower.startsWith('m')) return 60
  if (lower.startsWith('h')) return 3_600
  return lower.startsWith('d') ? 86_400 : 1
}

const countNumbers = (text: string): number => text.match(/[\d.]+/g)?.length ?? 0

function countParts(text: string): number {
  let parts = 0
  PART.lastIndex = 0
  while (parts < MOST_PARTS && PART.test(text)) parts += 1
  PART.lastIndex = 0
  return parts
}
