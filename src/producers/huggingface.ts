import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { chatStream } from './dialects/chat-stream.ts'
import { isFilled, isItem, payloadOf } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, codeTable, deepField, derive } from './producer.ts'

/**
 * Hugging Face: its router and Text Generation Inference, whose `error_type` says `overloaded`, `validation`,
 * `generation` or `incomplete_generation`. A model that loads is a 503 with its `estimated_time` in seconds. Included
 * credits are billing (402).
 */
export const huggingface: AdapterProducer = adapter(
  derive(
    { id: 'huggingface', ...chatDialect },
    {
      id: 'huggingface',
      codes: codeTable(
        {
          transient: 'overloaded generation incomplete_generation request_failed_during_generation unhealthy',
          permanent: 'tool_error template_error empty_input tokenizer_error',
          vague: { permanent: 'validation hfhubhttperror inferenceclienterror providerapierror' },
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'context_length',
          class: 'context_overflow',
          any: [
            'input is too long for this model',
            ['`inputs`', 'tokens'],
            ['inputs must have less than'],
            ['token indices sequence length'],
          ],
        },
        {
          id: 'included_credits',
          class: 'permanent',
          any: ['monthly included credits', 'exceeded your monthly', 'pre-paid credits'],
        },
        {
          id: 'loading',
          class: 'transient',
          any: [['model', 'is currently loading'], 'is overloaded', 'model too busy'],
        },
      ],
      hints: {
        body: (facts) => {
          const secs = deepField(facts, 'estimated_time')
          return typeof secs === 'number' && secs > 0 ? secs : undefined
        },
        resets: [{ reset: 'ratelimit-reset', remaining: 'ratelimit-remaining', unit: 'any' }],
      },
      stream: {
        failureOf: chatStream.failureOf,
        isContent: (value) => {
          const item = payloadOf(value)
          if (!isItem(item) || !isItem(item['token'])) return chatStream.isContent?.(item)
          return isFilled(item['token']['text'])
        },
        isEnd: (value) => {
          const item = payloadOf(value)
          if (!isItem(item) || !isItem(item['token'])) return chatStream.isEnd?.(item)
          return typeof item['generated_text'] === 'string'
        },
      },
      signature: {
        hosts: ['.huggingface.co', '.huggingface.cloud', '.hf.space'],
        headers: ['x-inference-', 'x-compute-'],
      },
    },
  ),
)
