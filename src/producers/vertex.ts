import { googleCodes, googleDialect, googleTexts } from './dialects/google-rpc.ts'
import { messagesCodes } from './dialects/messages.ts'
import { type AdapterProducer, adapter, codeTable } from './producer.ts'

/**
 * Vertex AI: Google's error model (the "Generative AI API errors" page), and around partners' models the errors of
 * their own messages API, passed through.
 */
export const vertex: AdapterProducer = adapter({
  id: 'vertex',
  ...googleDialect,
  codes: codeTable({ permanent: 'prompt_blocked' }, new Map([...messagesCodes, ...googleCodes])),
  texts: [
    { id: 'output_parameter', class: 'permanent', any: ['maximum allowed number of output tokens'] },
    ...googleTexts,
  ],
  signature: { hosts: ['aiplatform.googleapis.com'] },
})
