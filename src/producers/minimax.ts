import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { chatStream } from './dialects/chat-stream.ts'
import { isItem, payloadOf } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * MiniMax: failures come in a 200, as `base_resp.status_code` other than 0, by the numbers of its "Error codes" page.
 * 1008 is the balance, 2056 the window of a plan, 1039 tokens per minute.
 */
export const minimax: AdapterProducer = adapter(
  derive(
    { id: 'minimax', ...chatDialect },
    {
      id: 'minimax',
      codes: codeTable(
        {
          transient: '1000 1001 1002 1013 1024 1033 1039 1041 1120 2045 2056 2064',
          permanent: '1008 1026 1027 1028 1030 1042 1043 1044 2013 2037 2038 2039 2042 2048 2054 2061 2062 20132',
          auth_required: '1004 2049',
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'context_length',
          class: 'context_overflow',
          over: '2013',
          any: ['context window exceeds limit', ['context window', 'exceed']],
        },
        { id: 'usage_window', class: 'transient', any: ['usage limit exceeded'] },
      ],
      stream: {
        ...chatStream,
        isContent: (value) => chatStream.isContent?.(value) ?? (isStatus(payloadOf(value)) ? false : undefined),
        isEnd: (value) => chatStream.isEnd?.(value) ?? (isStatus(payloadOf(value)) ? false : undefined),
        failureOf: (value) => {
          const item = payloadOf(value)
          const base = isItem(item) ? item['base_resp'] : undefined
          const code = isItem(base) ? Number(base['status_code'] ?? 0) : 0
          return code === 0 ? chatStream.failureOf(value) : { base_resp: base }
        },
      },
      signature: {
        hosts: ['api.minimax.io', 'api.minimaxi.com', 'api.minimax.chat'],
        fields: { base_resp: '' },
      },
    },
  ),
)

/** An item that holds the state of the request and nothing of the answer. */
function isStatus(item: unknown): boolean {
  return isItem(item) && isItem(item['base_resp'])
}
