import { chatCodes } from './dialects/chat-codes.ts'
import { chatDialect } from './dialects/chat-completions.ts'
import { chatStream } from './dialects/chat-stream.ts'
import { messagesStream } from './dialects/messages.ts'
import { responsesStream } from './dialects/responses.ts'
import { anyShape } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, codeTable, derive, field } from './producer.ts'

/**
 * OpenRouter, over its three dialects. `error.code` is a status; `metadata.error_type` (its "Errors and debugging" page)
 * says more, and the upstream's own body in `metadata.raw` more still. A 402 for requests in flight settles by itself.
 * A daily cap puts its reset (epoch milliseconds) into headers inside the body.
 */
export const openrouter: AdapterProducer = adapter(
  derive(
    { id: 'openrouter', ...chatDialect },
    {
      id: 'openrouter',
      codes: codeTable(
        {
          transient: `provider_overloaded provider_unavailable rate_limit_exceeded rate_limited timeout server
            in_flight_budget_exhausted openrouter_in_flight_budget service_unavailable edge_network_timeout no_capacity`,
          permanent: `insufficient_credits payment_required token_limit_exceeded max_tokens_exceeded credit_limit_reached
            permission permission_denied forbidden moderation content_policy_violation content_filter guardrail_blocked
            refusal invalid_prompt invalid_image image_too_large image_too_small unsupported_image_format
            unsupported_image_media_type image_not_found image_download_failed precondition_failed
            key_disabled no_allowed_providers model_not_found`,
          auth_required: 'authentication unauthorized invalid_credentials',
          context_overflow: 'context_length_exceeded string_too_long payload_too_large',
          vague: { permanent: 'invalid_request not_found unprocessable', transient: 'unmapped' },
        },
        chatCodes,
      ),
      texts: [
        {
          id: 'daily_cap',
          class: 'transient',
          any: ['free-models-per-day', 'free-models-per-min', 'rate limit exceeded'],
          status: [402, 429],
        },
        { id: 'key_limit', class: 'permanent', any: ['key limit exceeded', 'can only afford'], status: [402, 403] },
      ],
      hints: {
        body: ({ layers }) => {
          for (const layer of layers) {
            const secs = field(layer, 'retry_after_seconds') ?? field(layer, 'retry_after')
            if (typeof secs === 'number' && secs > 0) return secs
          }
          return undefined
        },
        resets: [{ reset: 'x-ratelimit-reset', remaining: 'x-ratelimit-remaining', unit: 'epoch-ms' }],
      },
      stream: anyShape([responsesStream, chatStream, messagesStream]),
      signature: {
        hosts: ['openrouter.ai'],
        fields: { provider_name: '', limit_source: '' },
      },
    },
  ),
)
