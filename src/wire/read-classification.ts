import { type Classification, type ErrorClass, isErrorClass } from '../core/classification.ts'
import { isHint } from '../core/delay.ts'

/** What the reader found, with the name of a hint that it had to drop. */
export interface WireReading {
  readonly classification: Classification
  /** A `retry_after_secs` stood beside the class and was not a number of seconds. */
  readonly malformedHint?: MalformedHint
}

/** What was wrong with a hint. */
export type MalformedHint = 'negative' | 'nan' | 'infinite' | 'not_a_number'

/** How far a `cause` chain is followed. Deeper than any seen, and an end for a hostile one. */
const MAX_CAUSES = 32

const UNCLASSIFIED: WireReading = Object.freeze({ classification: Object.freeze({ class: undefined }) })

/**
 * Reads the contract's own fields from anything: at the value, its `error`, its `result.error`, and the same along
 * `cause`; there the own `class`, else `detail.class`, with `retry_after_secs` and heed's `exhausted` beside it.
 * `auth` is read as `auth_required`; any other string is passed on as it is (contract, "Consumer decoding").
 *
 * Never throws, whatever comes in, and never uses `instanceof`: errors of other realms and copies read the same.
 */
export function readClassification(value: unknown): Classification {
  return readWire(value).classification
}

/** As {@link readClassification}, and says which hint was malformed. */
export function readWire(value: unknown): WireReading {
  let place: unknown = value
  for (let depth = 0; depth <= MAX_CAUSES && isObject(place); depth += 1) {
    const found = readPlace(place)
    if (found !== undefined) return found
    const cause = read(place, 'cause')
    if (cause === place) break
    place = cause
  }
  return UNCLASSIFIED
}

function readPlace(place: object): WireReading | undefined {
  const own = readFields(place)
  if (own !== undefined) return own
  const error = read(place, 'error')
  const nested = isObject(error) ? readFields(error) : undefined
  if (nested !== undefined) return nested
  const result = read(place, 'result')
  const resultError = isObject(result) ? read(result, 'error') : undefined
  return isObject(resultError) ? readFields(resultError) : undefined
}

function readFields(fields: object): WireReading | undefined {
  const own = read(fields, 'class')
  if (typeof own === 'string') return reading(own, fields)
  const detail = read(fields, 'detail')
  if (!isObject(detail)) return undefined
  const inDetail = read(detail, 'class')
  return typeof inDetail === 'string' ? reading(inDetail, detail) : undefined
}

function reading(stated: string, beside: object): WireReading {
  const hint = read(beside, 'retry_after_secs')
  const exhausted = read(beside, 'exhausted') === true
  // The spelling from before the rename is accepted on read indefinitely (contract, "broca specifics").
  const known = stated === 'auth' ? 'auth_required' : stated
  if ((hint === undefined || hint === null) && !exhausted && isErrorClass(known)) return PLAIN[known]
  const classification: Classification = {
    class: known,
    ...(isHint(hint) ? { retryAfterSecs: hint } : undefined),
    ...(exhausted ? { exhausted } : undefined),
  }
  const malformedHint = hintFault(hint)
  return malformedHint === undefined ? { classification } : { classification, malformedHint }
}

const plain = (stated: ErrorClass): WireReading => Object.freeze({ classification: Object.freeze({ class: stated }) })

/** A class and nothing else is most of what is read: one reading of each serves all. */
const PLAIN: Readonly<Record<ErrorClass, WireReading>> = {
  transient: plain('transient'),
  permanent: plain('permanent'),
  auth_required: plain('auth_required'),
  context_overflow: plain('context_overflow'),
}

/** What is wrong with a hint; nothing where it is one, or there is none. */
export function hintFault(hint: unknown): MalformedHint | undefined {
  if (hint === undefined || hint === null || isHint(hint)) return undefined
  if (typeof hint !== 'number') return 'not_a_number'
  if (Number.isNaN(hint)) return 'nan'
  return hint < 0 && hint > Number.NEGATIVE_INFINITY ? 'negative' : 'infinite'
}

/** A getter or a proxy of somebody else's may throw: then the field is not there. */
function read(from: object, field: string): unknown {
  try {
    return (from as Record<string, unknown>)[field]
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
