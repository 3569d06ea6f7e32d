/** Headers by lower-case name. */
export type HeaderMap = ReadonlyMap<string, string>

/** No real answer has more; what lies beyond is not read. */
const MOST_HEADERS = 256

interface Entries {
  readonly forEach?: unknown
  readonly length?: unknown
}

/**
 * Headers out of whatever held them: a plain object in any case, `Headers`, a `Map`, pairs, or the flat list of names
 * and values that Node and undici call raw headers. What is found later replaces what was found earlier.
 */
export function collectHeaders(holders: readonly unknown[]): HeaderMap {
  if (holders.every(isEmpty)) return NONE
  const found = new Map<string, string>()
  for (const holder of holders) {
    try {
      collect(found, holder)
    } catch {
      // A holder that throws when read has no headers to offer.
    }
  }
  return found
}

const NONE: HeaderMap = new Map()

/** An answer without headers is frequent, and a map is costly. */
function isEmpty(holder: unknown): boolean {
  try {
    if (Object.getPrototypeOf(holder) !== Object.prototype) return false
    for (const _ in holder as object) return false
    return true
  } catch {
    return false
  }
}

function collect(found: Map<string, string>, holder: unknown): void {
  if (typeof holder !== 'object' || holder === null) return
  if (Array.isArray(holder)) {
    collectList(found, holder)
  } else if (typeof (holder as Entries).forEach === 'function') {
    let count = 0
    ;(holder as Map<unknown, unknown>).forEach((value, name) => {
      count += 1
      if (count <= MOST_HEADERS) put(found, name, value)
    })
  } else {
    let count = 0
    for (const name in holder) {
      count += 1
      if (count > MOST_HEADERS) break
      put(found, name, (holder as Record<string, unknown>)[name])
    }
  }
}

function collectList(found: Map<string, string>, list: readonly unknown[]): void {
  const length = Math.min(list.length, 2 * MOST_HEADERS)
  if (Array.isArray(list[0])) {
    for (let at = 0; at < length; at += 1) {
      const pair = list[at]
      if (Array.isArray(pair)) put(found, pair[0], pair[1])
    }
    return
  }
  for (let at = 0; at + 1 < length; at += 2) put(found, list[at], list[at + 1])
}

function put(found: Map<string, string>, name: unknown, value: unknown): void {
  const key = asText(name)
  const text = Array.isArray(value) ? value.map(asText).find((each) => each !== undefined) : asText(value)
  if (key !== undefined && text !== undefined && text !== '') found.set(key.toLowerCase(), text)
}

/** Header values are short; a longer one is not read at all rather than cut into something else. */
const MOST_CHARS = 1_024

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.length <= MOST_CHARS ? value : undefined
  if (typeof value === 'number') return String(value)
  return value instanceof Uint8Array && value.length <= MOST_CHARS ? String.fromCharCode(...value) : undefined
}
