import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter, derive } from './producer.ts'

/**
 * OpenAI's chat and text completions. Codes: the API's "Error codes" guide and the types of its SDKs; 401, 403
 * (country), 429 (rate limit or quota), 500, 503 (overloaded, slow down). A quota that is spent is billing, whatever
 * wraps the sentence. Resets are written as durations (`6m0s`, `579ms`).
 */
export const openai: AdapterProducer = adapter(
  derive(
    { id: 'openai', ...chatDialect },
    {
      id: 'openai',
      texts: [
        {
          id: 'quota_exhausted',
          class: 'permanent',
          any: [['exceeded your current quota', 'plan and billing']],
        },
      ],
      hints: {
        resets: [
          { reset: 'x-ratelimit-reset-requests', remaining: 'x-ratelimit-remaining-requests', unit: 'duration' },
          { reset: 'x-ratelimit-reset-tokens', remaining: 'x-ratelimit-remaining-tokens', unit: 'duration' },
          {
            reset: 'x-ratelimit-reset-project-tokens',
            remaining: 'x-ratelimit-remaining-project-tokens',
            unit: 'duration',
          },
        ],
      },
      signature: { hosts: ['api.openai.com'], headers: ['openai-'] },
    },
  ),
)
