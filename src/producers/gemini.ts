import { googleDialect } from './dialects/google-rpc.ts'
import { type AdapterProducer, adapter, field } from './producer.ts'

/**
 * Gemini's API. Codes: the API's "Troubleshooting" page over Google's error model. A key that is not valid is a 400, so
 * the reason decides; an answer that is nothing but a blocked prompt is a refusal of this input.
 */
export const gemini: AdapterProducer = adapter({
  id: 'gemini',
  ...googleDialect,
  signature: {
    hosts: ['generativelanguage.googleapis.com'],
    shape: ({ layers, codes, texts }) =>
      codes.includes('RESOURCE_EXHAUSTED') ||
      texts.some((text) => /googlegenerativeai|ai\.google\.dev|generativelanguage/i.test(text.slice(0, 1_024))) ||
      layers.some((layer) => String(field(layer, '@type')).startsWith('type.googleapis.com/')),
  },
})
