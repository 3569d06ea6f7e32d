import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * SGLang's server: like other servers in Python it names the error class and tells the length of the input in words; a
 * full queue is a 503.
 */
export const sglang: AdapterProducer = adapter(
  derive(
    { id: 'sglang', ...chatDialect },
    {
      id: 'sglang',
      codes: codeTable({ vague: { permanent: 'badrequest valueerror', transient: 'internalservererror' } }, chatCodes),
      texts: [
        {
          id: 'context_length',
          class: 'context_overflow',
          any: [
            ['input length', 'exceeds the maximum allowed length'],
            ['the input', 'is longer than the model'],
            ['requested token count exceeds', 'context length'],
            "longer than the model's context length",
            'multimodal prompt is too long',
          ],
        },
        {
          id: 'queue_full',
          class: 'transient',
          any: ['request queue is full', 'queue is full', 'server is shutting down', 'no available workers'],
        },
      ],
      signature: {},
    },
  ),
)
