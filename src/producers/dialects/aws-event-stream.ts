import { type Item, isFilled, isItem, payloadOf, type StreamShape } from '../kit/stream-shape.ts'

/** In an event stream an exception is an item with one key, its name. */
const EXCEPTION_KEY = /^[a-z][A-Za-z]{2,50}Exception$/

/**
 * An item whose key is an exception's name, with the name made a field; anything else as it is. Only an item with few
 * keys can be one.
 */
export function exceptionIn(raw: unknown): unknown {
  if (!isItem(raw)) return raw
  let keys = 0
  for (const key in raw) {
    keys += 1
    if (keys > 8) return raw
    const inner = raw[key]
    if (EXCEPTION_KEY.test(key) && isItem(inner)) return { code: key, cause: inner }
  }
  return raw
}

/** Converse and InvokeModel streams. */
export const bedrockStream: StreamShape = {
  failureOf: (value) => {
    const item = payloadOf(value)
    if (!isItem(item)) return undefined
    const exception = exceptionIn(item)
    if (exception !== item) return exception
    const type = item[':exception-type'] ?? item['__type']
    return isFilled(type) || item['type'] === 'error' ? { ...item, code: type ?? item['code'] } : undefined
  },
  isContent: (value) => {
    if (!isEvent(value)) return undefined
    const { contentBlockDelta, contentBlockStart, chunk } = value
    if (isItem(contentBlockDelta))
      return isItem(contentBlockDelta['delta']) && Object.values(contentBlockDelta['delta']).some(isFilled)
    if (isItem(contentBlockStart))
      return isItem(contentBlockStart['start']) && isFilled(contentBlockStart['start']['toolUse'])
    return isItem(chunk) && !/"type":"(?:message_start|ping)"/.test(chunkText(chunk))
  },
  isEnd: (value) => {
    if (!isEvent(value)) return undefined
    const { chunk } = value
    return (
      isItem(value['messageStop']) || (isItem(chunk) && chunkText(chunk).includes('amazon-bedrock-invocationMetrics'))
    )
  },
}

/** Every item has one of these as its key. */
const EVENTS = ['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop', 'metadata']

function isEvent(value: unknown): value is Item {
  if (!isItem(value)) return false
  const { chunk } = value
  return EVENTS.some((name) => isItem(value[name])) || (isItem(chunk) && chunk['bytes'] !== undefined)
}

/** A chunk of InvokeModel is the model's own event as bytes; its last one carries the service's metrics. */
function chunkText(chunk: Item): string {
  const { bytes } = chunk
  return bytes instanceof Uint8Array && bytes.length <= 1_048_576 ? new TextDecoder().decode(bytes) : ''
}
