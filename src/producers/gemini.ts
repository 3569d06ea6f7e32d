import { googleDialect } from './dialects/google-rpc.ts'
import { type AdapterProducer, adapter } from './producer.ts'

/**
 * Gemini's API. Codes: the API's "Troubleshooting" page over Google's error model. A key that is not valid is a 400, so
 * the reason decides; an answer that is nothing but a blocked prompt is a refusal of this input.
 */
export const gemini: AdapterProducer = adapter({
  id: 'gemini',
  ...googleDialect,
  signature: {
    hosts: ['generativelanguage.googleapis.com'],
    codes: 'RESOURCE_EXHAUSTED',
    words: ['googlegenerativeai', 'ai.google.dev', 'generativelanguage'],
    fields: { '@type': 'type.googleapis.com/' },
  },
})
