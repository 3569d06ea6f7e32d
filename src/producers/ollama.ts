import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { chatStream } from './dialects/chat-stream.ts'
import { hasError, type Item, isFilled, isItem, payloadOf } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * Ollama, local and cloud: `{ error: "text" }` and a status, also as the last line of a stream. Session and weekly limits
 * of the cloud are windows; a payment that is past due is billing, whatever the type says.
 */
export const ollama: AdapterProducer = adapter(
  derive(
    { id: 'ollama', ...chatDialect },
    {
      id: 'ollama',
      codes: codeTable({}, chatCodes),
      texts: [
        {
          id: 'usage_window',
          class: 'transient',
          any: [
            'session usage limit',
            'hourly usage limit',
            'daily usage limit',
            'weekly usage limit',
            'monthly usage limit',
            'usage limit',
          ],
        },
        {
          id: 'model_missing',
          class: 'permanent',
          any: [
            'try pulling it first',
            ['model', 'not found'],
            'does not support',
            'requires more system memory',
            'requires a subscription',
            'file does not exist',
          ],
        },
        {
          id: 'context_length',
          class: 'context_overflow',
          any: [
            'input length exceeds',
            'exceeds the context length',
            'exceeds maximum context',
            'exceeds the available context',
            'prompt too long',
            'prompt is too long',
          ],
        },
        {
          id: 'runner_lost',
          class: 'transient',
          any: [
            'server busy',
            'maximum pending requests exceeded',
            'llama runner process',
            'model runner has unexpectedly stopped',
            'loading model',
            'timed out waiting for llama runner',
          ],
        },
      ],
      stream: {
        failureOf: (value) => {
          const item = payloadOf(value)
          return isItem(item) && hasError(item) ? item : chatStream.failureOf(value)
        },
        isContent: (value) => {
          const item = payloadOf(value)
          if (!isItem(item) || !isOwn(item)) return chatStream.isContent?.(item)
          const { message, response, thinking } = item
          if ([response, thinking].some((said) => typeof said === 'string' && said !== '')) return true
          return (
            isItem(message) && ['content', 'thinking', 'tool_calls', 'images'].some((name) => isFilled(message[name]))
          )
        },
        isEnd: (value) => {
          const item = payloadOf(value)
          return isItem(item) && isOwn(item) ? item['done'] === true : chatStream.isEnd?.(item)
        },
      },
      signature: { hosts: ['ollama.com', ':11434'] },
    },
  ),
)

/** An item of the native API, or its error. */
function isOwn(item: Item): boolean {
  const { message, response, done, choices } = item
  if (choices !== undefined) return false
  return (
    typeof done === 'boolean' || isItem(message) || typeof response === 'string' || typeof item['error'] === 'string'
  )
}
