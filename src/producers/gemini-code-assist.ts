import { googleDialect } from './dialects/google-rpc.ts'
import { type AdapterProducer, adapter, codeTable } from './producer.ts'

/**
 * The Code Assist backend that Gemini CLI and its kin call with an account. Its quotas are windows that reset by
 * themselves, even where the text sends the user to an administrator; only spent credits are billing.
 */
export const geminiCodeAssist: AdapterProducer = adapter({
  id: 'gemini-code-assist',
  ...googleDialect,
  codes: codeTable(
    {
      transient: 'quota_exhausted rate_limit_exceeded model_capacity_exhausted',
      permanent: 'ineligible_tier unsupported_location',
    },
    googleDialect.codes,
  ),
  signature: {
    hosts: ['cloudcode-pa.googleapis.com'],
    fields: { domain: 'cloudcode-pa.' },
  },
})
