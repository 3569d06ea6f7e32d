import { anyFamily } from './by-shape.ts'
import { hasError, type Item, isFilled, isItem } from './kit/stream-shape.ts'
import { throughShape } from './llm.ts'
import { type AdapterProducer, codeTable } from './producer.ts'

/** Parts of a full stream that say nothing of the answer yet. */
const SILENT: ReadonlySet<string> = new Set([
  'start',
  'start-step',
  'step-start',
  'stream-start',
  'text-start',
  'reasoning-start',
  'response-metadata',
  'message-metadata',
  'raw',
  'finish',
  'finish-step',
  'step-finish',
  'error',
  'abort',
])

/**
 * Vercel's AI SDK: looks through `AI_RetryError` (`lastError`) and `AI_APICallError` (`statusCode`, `responseHeaders`,
 * `responseBody`, `data`, `cause`) at what the API said, and reads that by the family of its `url`. `isRetryable` is made
 * of the status, so it decides nothing. Streams: the parts of `fullStream`, the texts of `textStream`.
 */
export const aiSdk: AdapterProducer = throughShape({
  ...anyFamily('ai-sdk'),
  codes: codeTable(
    {
      permanent: `ai_nosuchmodelerror ai_invalidprompterror ai_invalidargumenterror ai_unsupportedfunctionalityerror
        ai_invalidmessageroleerror ai_messageconversionerror ai_unsupportedmodelversionerror ai_nosuchprovidererror`,
      auth_required: 'ai_loadapikeyerror gatewayauthenticationerror',
      ambiguous: 'ai_jsonparseerror ai_invalidresponsedataerror ai_emptyresponsebodyerror',
      vague: {
        transient: 'gatewayratelimiterror gatewayinternalservererror gatewaytimeouterror',
        permanent: 'gatewayinvalidrequesterror gatewaymodelnotfounderror',
      },
    },
    anyFamily('ai-sdk').codes,
  ),
  stream: {
    failureOf: (value) => {
      if (!isItem(value)) return undefined
      if (value['type'] === 'error') return hasError(value) ? value['error'] : value
      return value['type'] === 'finish' && value['finishReason'] === 'error' ? value : undefined
    },
    isContent: (item) => {
      if (typeof item === 'string') return item !== ''
      if (!isPart(item)) return undefined
      const type = String(item['type'])
      if (SILENT.has(type)) return false
      if (!type.endsWith('-delta')) return true
      return ['text', 'delta', 'textDelta', 'argsTextDelta', 'inputTextDelta'].some((name) => isFilled(item[name]))
    },
    // The stream of texts ends without a word.
    isEnd: (item) => (isPart(item) ? item['type'] === 'finish' : undefined),
  },
})

function isPart(item: unknown): item is Item {
  if (!isItem(item) || typeof item['type'] !== 'string') return false
  const { type } = item
  return SILENT.has(type) || /^(?:text|reasoning|tool|custom)-|^(?:source|file|object)$/.test(type)
}
