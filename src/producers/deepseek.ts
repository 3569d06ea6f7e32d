import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * DeepSeek. Statuses of its "Error codes" page: 400 format, 401 key, 402 balance, 422 parameters, 429 rate, 500 and 503
 * server; the balance is told in words under a catch-all type. `insufficient_system_resource` ends a stream that failed.
 */
export const deepseek: AdapterProducer = adapter(
  derive(
    { id: 'deepseek', ...chatDialect },
    {
      id: 'deepseek',
      codes: codeTable({ transient: 'insufficient_system_resource' }, chatCodes),
      texts: [{ id: 'credential', class: 'auth_required', any: ['authentication fails'], status: [400, 401] }],
      signature: { hosts: ['api.deepseek.com'] },
    },
  ),
)
