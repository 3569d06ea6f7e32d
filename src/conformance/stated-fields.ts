/** The object that holds a class, as the producer wrote it. */
export interface StatedFields {
  class: string
  readonly [field: string]: unknown
}

/** Deeper than anybody wraps. */
const MOST_CAUSES = 8

/**
 * Where a class stands, by the places at which the contract's consumers look: the value, its `error` or its
 * `result.error`, there its own `class` or that of its `detail`; else the same along `cause`. Unlike a consumer's reader
 * it answers what was written, spelling included.
 */
export function statedFields(value: unknown): StatedFields | undefined {
  let place: unknown = value
  for (let depth = 0; depth <= MOST_CAUSES && isObject(place); depth += 1) {
    for (const holder of [place, place['error'], isObject(place['result']) ? place['result']['error'] : undefined]) {
      if (!isObject(holder)) continue
      for (const fields of [holder, holder['detail']]) {
        if (isObject(fields) && typeof fields['class'] === 'string') return fields as unknown as StatedFields
      }
    }
    place = place['cause']
  }
  return undefined
}

/** What of a value reaches the other side of a wire: JSON text is what it holds. */
export function throughJson(emitted: unknown): unknown {
  const text = typeof emitted === 'string' ? emitted : JSON.stringify(emitted)
  return text === undefined ? undefined : JSON.parse(text)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
