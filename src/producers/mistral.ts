import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive, field } from './producer.ts'

/**
 * Mistral. Its bodies are flat (`object: 'error'`), with numeric codes and types that name the kind; capacity is told
 * in words under `invalid_request_error`. 1300 is its rate limit, 3505 its capacity.
 */
export const mistral: AdapterProducer = adapter(
  derive(
    { id: 'mistral', ...chatDialect },
    {
      id: 'mistral',
      codes: codeTable(
        {
          transient: '1300 1301 3505 3500 3501 rate_limited service_tier_capacity_exceeded internal_server_proxy_error',
          permanent: '1500 1501 invalid_model model_not_found guardrail_violation payment_required',
          auth_required: '1401 2001 invalid_api_key',
          context_overflow: '3051 context_length_exceeded prompt_too_long',
          vague: { permanent: '3000 3001 3002 invalid_request_invalid_args invalid_request_message_order' },
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'capacity',
          class: 'transient',
          any: [
            'service tier capacity exceeded',
            'service unavailable',
            'requests rate limit exceeded',
            'inactive subscription or usage limit',
          ],
        },
        {
          id: 'context_length',
          class: 'context_overflow',
          any: [['tokens', 'too large for model'], 'too large for model'],
        },
      ],
      hints: {
        resets: [
          { reset: 'ratelimitbysize-reset', remaining: 'ratelimitbysize-remaining', unit: 'any' },
          { reset: 'x-ratelimitbysize-reset', remaining: 'x-ratelimitbysize-remaining', unit: 'any' },
          { reset: 'x-ratelimit-reset', remaining: 'x-ratelimit-remaining', unit: 'any' },
          { reset: 'ratelimit-reset', remaining: 'ratelimit-remaining', unit: 'any' },
        ],
      },
      signature: {
        hosts: ['api.mistral.ai'],
        headers: ['x-ratelimitbysize-', 'ratelimitbysize-', 'mistral-'],
        shape: ({ layers }) =>
          layers.some((layer) => field(layer, 'object') === 'error' && /^\d{4}$/.test(String(field(layer, 'code')))),
      },
    },
  ),
)
