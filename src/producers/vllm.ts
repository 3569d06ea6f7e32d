import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * vLLM's server: `type` is the name of a Python error and `code` the status (its `ErrorResponse`), so the length of the
 * input is told only in words. A budget of output tokens that is too large is a parameter, not an input.
 */
export const vllm: AdapterProducer = adapter(
  derive(
    { id: 'vllm', ...chatDialect },
    {
      id: 'vllm',
      codes: codeTable(
        {
          transient: 'enginedeaderror enginegenerateerror',
          vague: { permanent: 'valueerror overflowerror', transient: 'internalservererror' },
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'context_length',
          class: 'context_overflow',
          any: [
            ['decoder prompt', 'longer than the maximum model length'],
            ['prompt', 'longer than the maximum model length'],
            ['tokens in the messages', 'reduce the length'],
            ['input prompt', 'too long'],
            'please reduce the length of the input',
            "please provide a smaller 'max_tokens' or reduce",
          ],
          not: ['is too large'],
        },
        {
          id: 'engine',
          class: 'transient',
          any: ['enginecore encountered an issue', 'background loop has errored', 'engine is dead'],
        },
      ],
      signature: { headers: ['x-vllm-'] },
    },
  ),
)
