/** How a family answers failures inside an answer, and how its streams begin and end. */
export interface StreamShape {
  /** The part of a value or stream item to read as a failure; nothing where it is an ordinary value. */
  readonly failureOf: (value: unknown) => unknown
  /** The same for a shape that an ordinary value may have too: it is a failure only where its class is known. */
  readonly suspectOf?: (value: unknown) => unknown
  /** Whether a stream item holds something of the answer itself; nothing where it is no item of this dialect. */
  readonly isContent?: (item: unknown) => boolean | undefined
  /** Whether a stream item says that the answer is complete; nothing where it is no item of this dialect. */
  readonly isEnd?: (item: unknown) => boolean | undefined
}

/** Several dialects as one: what one of them takes for content or an end is that, whatever the others make of it. */
export function anyShape(shapes: readonly StreamShape[]): StreamShape {
  return {
    failureOf: (value) => {
      for (const shape of shapes) {
        const failure = shape.failureOf(value)
        if (failure !== undefined) return failure
      }
      return undefined
    },
    isContent: (item) => heard(shapes, 'isContent', item),
    isEnd: (item) => heard(shapes, 'isEnd', item),
  }
}

function heard(shapes: readonly StreamShape[], name: 'isContent' | 'isEnd', value: unknown): boolean | undefined {
  // Read once: what is parsed is an object to each of them.
  const item = payloadOf(value)
  let answer: boolean | undefined
  for (const shape of shapes) {
    const said = shape[name]?.(item)
    if (said === true) return true
    answer = said ?? answer
  }
  return answer
}

/** An object with fields, as parsed JSON or an SDK's event. */
export type Item = { readonly [name: string]: unknown }

/**
 * The payload of a stream item: the item, or what the `data` of a server-sent event holds. A text that is no JSON (the
 * `[DONE]` of many APIs) is answered as it is.
 */
export function payloadOf(item: unknown): unknown {
  if (typeof item === 'string') return parsed(item)
  if (!isItem(item)) return item
  const { data } = item
  // An event of an SSE parser: nothing else has a text as `data` and neither a type of its own nor choices.
  return typeof data === 'string' && item['choices'] === undefined && item['object'] === undefined ? parsed(data) : item
}

/** Texts longer than this are content, not events. */
const MOST_CHARS = 1_048_576

function parsed(text: string): unknown {
  const body = text.startsWith('data:') ? text.slice(5).trim() : text.trim()
  if (body.length > MOST_CHARS || (!body.startsWith('{') && !body.startsWith('['))) return body
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** An object that is no list. */
export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The elements of a list field; none where it is none. */
export function itemsIn(item: Item, name: string): readonly Item[] {
  const list = item[name]
  return Array.isArray(list) ? list.filter(isItem) : []
}

/** Something was said: a text that is not empty, a list or an object that has members, a number. */
export function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value !== ''
  if (Array.isArray(value)) return value.length > 0
  return typeof value === 'number' || (typeof value === 'object' && value !== null)
}

/** Whether an item has an `error` that says something: many APIs send `error: null` beside every answer. */
export function hasError(item: Item): boolean {
  const { error } = item
  return (typeof error === 'object' && error !== null) || (typeof error === 'string' && error !== '')
}
