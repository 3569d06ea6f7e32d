/**
 * A literal inside a text: JSON, or what Python prints of a dictionary, whole or cut off. Gateways quote the upstream's
 * body in their own message, and reports and logs cut it, so a strict parser sees none of it.
 */

/** Beyond this a text is somebody's input echoed back, not an error. Characters. */
const MOST_CHARS = 65_536
const MOST_VALUES = 2_000
const MOST_DEPTH = 16
const MOST_OBJECTS = 4

interface Cursor {
  readonly text: string
  at: number
  values: number
}

/** The whole text as JSON, or nothing. A text over the bound is read as far as the bound. */
export function readJson(text: string): unknown {
  const head = text.slice(0, 1_024)
  const start = skipSpace(head, 0)
  const next = head[skipSpace(head, start + 1)]
  // Prose begins with a bracket or a brace too, and a parser that throws is costly.
  const opens =
    (text[start] === '{' && (next === '"' || next === "'" || next === '}')) ||
    (text[start] === '[' && (next === '{' || next === '"' || next === ']'))
  if (!opens && text[start] !== '"') return undefined
  if (next !== "'" && text.length <= MOST_CHARS) {
    try {
      return JSON.parse(text)
    } catch {
      // Cut off, or not JSON: the tolerant reader below sees what there is.
    }
  }
  return opens ? readValue({ text: text.slice(0, MOST_CHARS), at: start, values: 0 }, 0) : undefined
}

const NONE: readonly unknown[] = []

/** The first few objects written inside a text, in order. */
export function embeddedObjects(text: string): readonly unknown[] {
  const bounded = text.length > MOST_CHARS ? text.slice(0, MOST_CHARS) : text
  const first = bounded.indexOf('{')
  if (first < 0) return NONE
  const cursor: Cursor = { text: bounded, at: 0, values: 0 }
  const found: unknown[] = []
  for (let at = first; at >= 0 && found.length < MOST_OBJECTS; at = cursor.text.indexOf('{', cursor.at)) {
    cursor.at = at + 1
    if (!opensObject(cursor.text, at + 1)) continue
    cursor.at = at
    found.push(readValue(cursor, 0))
    if (cursor.values > MOST_VALUES) break
  }
  return found
}

/** Whether what follows a brace is a quoted key: prose and templates have braces too. */
function opensObject(text: string, at: number): boolean {
  const next = text[skipSpace(text, at)]
  return next === '"' || next === "'"
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1
  return at
}

function readValue(cursor: Cursor, depth: number): unknown {
  cursor.at = skipSpace(cursor.text, cursor.at)
  cursor.values += 1
  const first = cursor.text[cursor.at]
  if (depth > MOST_DEPTH || cursor.values > MOST_VALUES) {
    cursor.at = cursor.text.length
    return undefined
  }
  if (first === '{') return readMembers(cursor, depth)
  if (first === '[') return readElements(cursor, depth)
  if (first === '"' || first === "'") return readQuoted(cursor, first)
  return readBare(cursor)
}

function readMembers(cursor: Cursor, depth: number): unknown {
  const members: Record<string, unknown> = {}
  cursor.at += 1
  while (cursor.at < cursor.text.length) {
    cursor.at = skipSpace(cursor.text, cursor.at)
    const quote = cursor.text[cursor.at]
    if (quote === ',') cursor.at += 1
    else if (quote === '"' || quote === "'") {
      const key = readQuoted(cursor, quote)
      cursor.at = skipSpace(cursor.text, cursor.at)
      if (cursor.text[cursor.at] !== ':') break
      cursor.at += 1
      const value = readValue(cursor, depth + 1)
      // Such a key in the text stays a key.
      if (key === '__proto__') Object.defineProperty(members, key, { value, enumerable: true, configurable: true })
      else members[key] = value
    } else {
      if (quote === '}') cursor.at += 1
      break
    }
  }
  return members
}

function readElements(cursor: Cursor, depth: number): unknown {
  const elements: unknown[] = []
  cursor.at += 1
  while (cursor.at < cursor.text.length) {
    cursor.at = skipSpace(cursor.text, cursor.at)
    const next = cursor.text[cursor.at]
    if (next === ',') cursor.at += 1
    else if (next === ']' || next === '}' || next === undefined) {
      cursor.at += 1
      break
    } else {
      const before = cursor.at
      elements.push(readValue(cursor, depth + 1))
      if (cursor.at === before) break
    }
  }
  return elements
}

function readQuoted(cursor: Cursor, quote: string): string {
  const { text } = cursor
  const start = cursor.at + 1
  let at = text.indexOf(quote, start)
  // A quote behind an odd number of backslashes is part of the text.
  while (at > start && isEscaped(text, start, at)) at = text.indexOf(quote, at + 1)
  if (at < 0) at = text.length
  cursor.at = at + 1
  const raw = text.slice(start, at)
  return raw.includes('\\') ? unescaped(raw) : raw
}

function isEscaped(text: string, start: number, at: number): boolean {
  let slashes = 0
  while (at - slashes > start && text.charCodeAt(at - slashes - 1) === BACKSLASH) slashes += 1
  return slashes % 2 === 1
}

const BACKSLASH = 92

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function unescaped(raw: string): string {
  return raw.replace(/\\u([\da-fA-F]{4})|\\(.)/gs, (_, hex: string | undefined, char: string | undefined) =>
    hex === undefined ? (ESCAPES[char ?? ''] ?? char ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const BARE = /[\w.+-]+/y

function readBare(cursor: Cursor): unknown {
  BARE.lastIndex = cursor.at
  const word = BARE.exec(cursor.text)?.[0] ?? ''
  cursor.at += word.length
  if (word === 'true' || word === 'True') return true
  if (word === 'false' || word === 'False') return false
  const number = word === '' ? Number.NaN : Number(word)
  return Number.isNaN(number) ? null : number
}
