import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { chatStream } from './dialects/chat-stream.ts'
import { type Item, isFilled, isItem, payloadOf } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * llama.cpp's server: `error.type` is one of its fixed names (`format_error_response`). A prompt over the context may
 * come as a 500, so the type decides; a 503 says that the model is loading.
 */
export const llamaCpp: AdapterProducer = adapter(
  derive(
    { id: 'llama.cpp', ...chatDialect },
    {
      id: 'llama.cpp',
      codes: codeTable(
        {
          transient: 'unavailable_error',
          permanent: 'not_supported_error not_found_error permission_error',
          auth_required: 'authentication_error',
          context_overflow: 'exceed_context_size_error',
          vague: { permanent: 'invalid_request_error', transient: 'server_error' },
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'context_length',
          class: 'context_overflow',
          any: [
            'exceeds the available context size',
            'context size exceeded',
            'context is full',
            'input is too large to process',
            'exceed context window',
            ['input', 'larger than the max context size'],
            'context shift is disabled',
          ],
        },
        { id: 'loading', class: 'transient', any: ['loading model', 'no slot available', 'slot unavailable'] },
      ],
      stream: {
        failureOf: chatStream.failureOf,
        isContent: (value) => {
          const item = payloadOf(value)
          return isNative(item) ? isFilled(item['content']) : chatStream.isContent?.(item)
        },
        isEnd: (value) => {
          const item = payloadOf(value)
          return isNative(item) ? item['stop'] === true : chatStream.isEnd?.(item)
        },
      },
      signature: { codes: 'exceed_context_size_error' },
    },
  ),
)

/** An item of the server's own `/completion`. */
function isNative(item: unknown): item is Item {
  return isItem(item) && typeof item['content'] === 'string' && typeof item['stop'] === 'boolean'
}
