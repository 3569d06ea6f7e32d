import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { chatStream } from './dialects/chat-stream.ts'
import { hasError, isFilled, isItem, payloadOf } from './kit/stream-shape.ts'
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
          if (!isItem(item)) return false
          const { message, response, thinking } = item
          if ([response, thinking].some((said) => typeof said === 'string' && said !== '')) return true
          const said =
            isItem(message) && ['content', 'thinking', 'tool_calls', 'images'].some((name) => isFilled(message[name]))
          return said || chatStream.isContent?.(item) === true
        },
        isEnd: (value) => {
          const item = payloadOf(value)
          return chatStream.isEnd?.(item) === true || (isItem(item) && item['done'] === true)
        },
      },
      signature: { hosts: ['ollama.com', ':11434'] },
    },
  ),
)
