import { CODE, ENTER, HEADERS, RANK, ROLE_LIST, ROLES, STATUS, TEXT } from './fields.ts'
import { embeddedObjects, readJson } from './literal.ts'

/** What an error or answer says of itself, gathered from every place where failures are known to be described. */
export interface Facts {
  /** Provider codes, types and names as they came. */
  readonly codes: readonly string[]
  /** For each code how specific its place is: deeper beats outer, and within one object `code` beats `type`. */
  readonly weights: readonly number[]
  /** Messages. Untrusted and unbounded: read through `wording`. */
  readonly texts: readonly string[]
  /** The objects found, each before those inside it. Read their fields through {@link field}. */
  readonly layers: readonly object[]
  /** Whatever held headers, outer before inner. */
  readonly headers: readonly unknown[]
  /** The innermost HTTP status from 400 to 599 that is stated as a number; 0 where none is. */
  readonly status: number
}

/** Enough for the deepest wrapping seen, and a bound for what nobody sent in good faith. */
const MOST_LAYERS = 40
const MOST_DEPTH = 12
const MOST_ELEMENTS = 8
const MOST_KEYS = 64
const MOST_CODE_CHARS = 96

interface Scan extends Facts {
  codes: readonly string[]
  weights: readonly number[]
  texts: readonly string[]
  readonly layers: object[]
  headers: readonly unknown[]
  status: number
  statusWeight: number
}

/**
 * Walks from `raw` through the fields in which failures are nested (`error`, `body`, `cause`, `details`, JSON in a
 * string and the rest of the known ones). Never throws: what cannot be read is not there. The work is bounded,
 * whatever comes in.
 */
export function readFacts(raw: unknown): Facts {
  const scan: Scan = { codes: [], weights: [], texts: [], layers: [], headers: [], status: 0, statusWeight: -1 }
  enter(scan, raw, 0)
  return scan
}

/** A field of an object from outside: getters and proxies may throw. */
export function field(layer: object, name: string): unknown {
  try {
    return (layer as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}

/** The innermost of the fields so named that holds anything. */
export function deepField(facts: Facts, name: string): unknown {
  for (let at = facts.layers.length - 1; at >= 0; at -= 1) {
    const value = field(facts.layers[at] as object, name)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** Goes into an object, each element of a list, or what a string holds. */
function enter(scan: Scan, value: unknown, depth: number): void {
  if (typeof value === 'string') text(scan, value, depth)
  if (typeof value !== 'object' || value === null || depth > MOST_DEPTH) return
  if (scan.layers.length >= MOST_LAYERS || scan.layers.includes(value)) return
  scan.layers.push(value)
  try {
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length && at < MOST_ELEMENTS; at += 1) enter(scan, value[at], depth + 1)
    } else if (isPlain(value)) readPlain(scan, value, depth)
    else readNamed(scan, value, depth)
  } catch {
    // A proxy that throws when it is asked for its prototype or its keys has none to offer.
    readNamed(scan, value, depth)
  }
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Parsed JSON has few fields: going through them is cheaper than asking for every name. */
function readPlain(scan: Scan, layer: object, depth: number): void {
  let keys = 0
  for (const name in layer) {
    keys += 1
    if (keys > MOST_KEYS) {
      readNamed(scan, layer, depth)
      return
    }
    const role = ROLES.get(name)
    if (role !== undefined) take(scan, role, field(layer, name), depth)
  }
}

function readNamed(scan: Scan, layer: object, depth: number): void {
  for (const [name, role] of ROLE_LIST) {
    const value = field(layer, name)
    if (value !== undefined && value !== null) take(scan, role, value, depth)
  }
}

function take(scan: Scan, role: number, value: unknown, depth: number): void {
  if (typeof value === 'string') {
    if ((role & CODE) !== 0 && value.length <= MOST_CODE_CHARS && value !== '') code(scan, value, role, depth)
    if ((role & STATUS) !== 0 && value.length === 3) status(scan, Number(value), role, depth)
    if ((role & TEXT) !== 0) text(scan, value, depth + 1)
  } else if (typeof value === 'number') {
    if ((role & STATUS) !== 0) status(scan, value, role, depth)
    if ((role & CODE) !== 0) code(scan, String(value), role, depth)
  } else if ((role & ENTER) !== 0) enter(scan, value, depth + 1)
  else if ((role & HEADERS) !== 0 && typeof value === 'object' && value !== null)
    scan.headers = added(scan.headers, value)
}

/** A list that grows takes room for many elements; most of these have one. */
function added<T>(list: readonly T[], value: T): readonly T[] {
  if (list.length === 0) return [value]
  ;(list as T[]).push(value)
  return list
}

function code(scan: Scan, value: string, role: number, depth: number): void {
  scan.codes = added(scan.codes, value)
  scan.weights = added(scan.weights, depth * (RANK + 1) + (role & RANK))
}

/** Only failures count: the 200 around a stream that failed says nothing. */
function status(scan: Scan, value: number, role: number, depth: number): void {
  const weight = depth * (RANK + 1) + (role & RANK)
  if (value >= 400 && value <= 599 && Number.isInteger(value) && weight > scan.statusWeight) {
    scan.status = value
    scan.statusWeight = weight
  }
}

/** Wording, unless it is itself JSON; what it quotes counts as nested in it. */
function text(scan: Scan, value: string, depth: number): void {
  if (value === '' || depth > MOST_DEPTH || scan.texts.length >= MOST_LAYERS) return
  const first = value.charCodeAt(0) > 32 ? value.charAt(0) : value.slice(0, 64).trimStart().charAt(0)
  if (first === '{' || first === '[' || first === '"') {
    const parsed = readJson(value)
    if (typeof parsed === 'string' || (typeof parsed === 'object' && parsed !== null)) {
      enter(scan, parsed, depth + 1)
      return
    }
  }
  scan.texts = added(scan.texts, value)
  for (const object of embeddedObjects(value)) enter(scan, object, depth + 1)
}
