import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * Cerebras. Flat bodies whose `code` names the kind (its "Error codes" page), as in `token_quota_exceeded`: windows of a
 * minute, an hour or a day, whose resets are bare seconds.
 */
export const cerebras: AdapterProducer = adapter(
  derive(
    { id: 'cerebras', ...chatDialect },
    {
      id: 'cerebras',
      codes: codeTable(
        {
          transient: `token_quota_exceeded request_quota_exceeded queue_exceeded too_many_requests_error
            server_error request_timeout high_traffic`,
          permanent: 'wrong_api_format payment_required_error model_not_found incomplete_json_output',
          auth_required: 'wrong_api_key',
          context_overflow: 'context_length_exceeded',
          vague: { permanent: 'param validation_error' },
        },
        chatCodes,
      ),
      hints: {
        resets: ['requests-day', 'requests-hour', 'requests-minute', 'tokens-day', 'tokens-hour', 'tokens-minute'].map(
          (dimension) => ({
            reset: `x-ratelimit-reset-${dimension}`,
            remaining: `x-ratelimit-remaining-${dimension}`,
            unit: 'duration' as const,
          }),
        ),
      },
      signature: { hosts: ['api.cerebras.ai'] },
    },
  ),
)
