import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, codeTable, derive } from './producer.ts'

/**
 * Groq. Codes: the "Error codes" page; 498 is its flex tier at capacity, 413 one request larger than the tier's tokens
 * per minute. Resets are durations (`2m59.56s`): requests per day, tokens per minute.
 */
export const groq: AdapterProducer = adapter(
  derive(
    { id: 'groq', ...chatDialect },
    {
      id: 'groq',
      codes: codeTable(
        {
          transient: 'rate_limit_exceeded capacity_exceeded flex_capacity_exceeded over_capacity',
          permanent: `blocked_api_access organization_restricted model_permission_blocked_org
            model_permission_blocked_project model_terms_required model_decommissioned tool_use_failed json_validate_failed`,
          auth_required: 'invalid_api_key expired_api_key',
        },
        chatCodes,
      ),
      statuses: { 498: 'transient' },
      hints: {
        resets: [
          { reset: 'x-ratelimit-reset-requests', remaining: 'x-ratelimit-remaining-requests', unit: 'duration' },
          { reset: 'x-ratelimit-reset-tokens', remaining: 'x-ratelimit-remaining-tokens', unit: 'duration' },
        ],
      },
      signature: {
        hosts: ['api.groq.com'],
        headers: ['x-groq-'],
        words: ['console.groq.com'],
      },
    },
  ),
)
