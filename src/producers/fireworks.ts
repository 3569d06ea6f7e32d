import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * Fireworks. Codes are the names of the statuses of its "Inference error codes" page; 412 is an account that is
 * suspended or has reached its spending limit.
 */
export const fireworks: AdapterProducer = adapter(
  derive(
    { id: 'fireworks', ...chatDialect },
    {
      id: 'fireworks',
      codes: codeTable(
        {
          transient: 'resource_exhausted deadline_exceeded unavailable internal too_many_requests',
          permanent: 'precondition_failed payment_required forbidden method_not_allowed',
          auth_required: 'unauthorized',
          context_overflow: 'payload_too_large request_entity_too_large',
          vague: { permanent: 'bad_request not_found invalid_argument failed_precondition' },
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'suspended',
          class: 'permanent',
          any: [['account', 'is suspended'], 'monthly spending limit', 'failure to pay'],
        },
        {
          id: 'context_length',
          class: 'context_overflow',
          any: ['the prompt is too long', ['prompt is too long', 'model maximum context length']],
        },
      ],
      signature: { hosts: ['api.fireworks.ai'], headers: ['fireworks-'] },
    },
  ),
)
