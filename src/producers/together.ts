import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * Together. Statuses of its "Error codes" page; a 403 there can be the context length, which is told in words. Resets
 * are in seconds.
 */
export const together: AdapterProducer = adapter(
  derive(
    { id: 'together', ...chatDialect },
    {
      id: 'together',
      codes: codeTable(
        {
          transient: `model_rate_limit dynamic_request_limited dynamic_token_limited request_limited token_limited
            engine_overloaded model_warming_up cold_start`,
          permanent: 'credit_limit missing_api_access model_unavailable model_not_available',
          auth_required: 'missing_api_key invalid_api_key',
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'context_length',
          class: 'context_overflow',
          any: [
            'must be less than the context length',
            ['`inputs` tokens', '`max_new_tokens` must be'],
            ['input token count', 'max_tokens'],
          ],
          status: [400, 403, 413, 422],
        },
        { id: 'credit_limit', class: 'permanent', any: ['credit limit exceeded', 'maximum allowed monthly spending'] },
      ],
      hints: {
        resets: [
          { reset: 'x-ratelimit-reset', remaining: 'x-ratelimit-remaining', unit: 'any' },
          { reset: 'x-tokenlimit-reset', remaining: 'x-tokenlimit-remaining', unit: 'any' },
        ],
      },
      signature: { hosts: ['api.together.xyz', 'api.together.ai'], headers: ['x-together-'] },
    },
  ),
)
