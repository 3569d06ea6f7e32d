import { hasError, type Item, isFilled, isItem, itemsIn, payloadOf, type StreamShape } from '../kit/stream-shape.ts'

/** What a chunk or a message may say; a role, an index or an empty text says nothing yet. */
const SPOKEN = [
  'content',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'refusal',
  'tool_calls',
  'function_call',
  'audio',
  'images',
]

/** `finish_reason`s by which servers say that they, not the model, ended the answer. */
const FAILED = new Set(['error', 'network_error', 'insufficient_system_resource'])

/** Chat and text completions, streamed and whole. */
export const chatStream: StreamShape = {
  failureOf: (value) => {
    const item = Array.isArray(value) ? value[0] : payloadOf(value)
    if (!isItem(item)) return undefined
    if (item['object'] === 'error' || item['type'] === 'error' || hasError(item)) return item
    return itemsIn(item, 'choices').find((choice) => hasError(choice) || FAILED.has(String(choice['finish_reason'])))
  },
  isContent: (value) => {
    const item = payloadOf(value)
    if (item === DONE) return false
    return isChunk(item) ? itemsIn(item, 'choices').some(speaks) : undefined
  },
  isEnd: (value) => {
    const item = payloadOf(value)
    if (item === DONE) return true
    return isChunk(item) ? itemsIn(item, 'choices').some(ends) : undefined
  },
}

const DONE = '[DONE]'

/** A chunk, a whole answer, or an error in their place. */
function isChunk(item: unknown): item is Item {
  if (!isItem(item)) return false
  const { choices, object } = item
  if (Array.isArray(choices) || hasError(item)) return true
  return typeof object === 'string' && /^(?:chat\.completion|text_completion)/.test(object)
}

function ends(choice: Item): boolean {
  return isFilled(choice['finish_reason'])
}

function speaks(choice: Item): boolean {
  if (isFilled(choice['text'])) return true
  const said = choice['delta'] ?? choice['message']
  return isItem(said) && SPOKEN.some((name) => isFilled(said[name]))
}
