import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * LM Studio's server: `error` is often a plain text, so wording decides: the context that a model was loaded with, a
 * model that is not loaded, one that crashed or was unloaded.
 */
export const lmstudio: AdapterProducer = adapter(
  derive(
    { id: 'lmstudio', ...chatDialect },
    {
      id: 'lmstudio',
      codes: codeTable({ vague: { permanent: 'internal_error', transient: 'model_crashed' } }, chatCodes),
      texts: [
        {
          id: 'context_length',
          class: 'context_overflow',
          any: [
            ['n_keep', 'n_ctx'],
            'greater than the context length',
            'cannot truncate prompt',
            'reached context length',
            'context overflow',
            'larger context length',
            ['context length of only', 'tokens'],
            'not enough context',
          ],
        },
        {
          id: 'not_loaded',
          class: 'permanent',
          any: ['no models loaded', 'model not loaded', 'failed to load model', 'insufficient system resources'],
        },
        {
          id: 'unloaded',
          class: 'transient',
          any: ['model unloaded', 'model has crashed', 'model was unloaded', 'model is unloaded', 'operation canceled'],
        },
      ],
      signature: { hosts: [':1234'] },
    },
  ),
)
