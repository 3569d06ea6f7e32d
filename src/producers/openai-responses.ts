import { chatDialect } from './dialects/chat-completions.ts'
import { codexHints, responsesCodes, responsesStream } from './dialects/responses.ts'
import { type AdapterProducer, adapter } from './producer.ts'

/**
 * OpenAI's Responses API, over HTTP and as events (`error`, `response.failed`). Codes: `ResponseError.code` of the API
 * reference and the "Error codes" guide. Hints are those that Codex reads, and no others (error-class contract).
 */
export const openaiResponses: AdapterProducer = adapter({
  id: 'openai-responses',
  codes: responsesCodes,
  texts: [
    {
      id: 'quota_exhausted',
      class: 'permanent',
      any: [['exceeded your current quota', 'plan and billing']],
    },
    ...(chatDialect.texts ?? []),
  ],
  hints: codexHints,
  stream: responsesStream,
  signature: {
    codes: 'response.failed',
  },
})
