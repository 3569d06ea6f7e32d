import { anyFamily } from './by-shape.ts'
import { hasError, type Item, isFilled, isItem } from './kit/stream-shape.ts'
import { throughShape } from './llm.ts'
import { type AdapterProducer, codeTable } from './producer.ts'

/**
 * Parts that say nothing of the answer yet: those that the SDK's own test of output passes over, and what marks a
 * stream's steps. What it names neither way (a tool's result, a request for approval) is content: nothing that somebody
 * may have acted on is replayed.
 */
const SILENT: ReadonlySet<string> = new Set(
  `start start-step step-start stream-start model-call-start text-start text-end reasoning-start reasoning-end
  tool-input-start tool-input-end source custom ping response-metadata model-call-response-metadata message-metadata raw
  finish finish-step step-finish model-call-end error abort`.split(/\s+/),
)

const base = throughShape({
  ...anyFamily('ai-sdk'),
  codes: codeTable(
    {
      permanent: `ai_nosuchmodelerror ai_invalidprompterror ai_invalidargumenterror ai_unsupportedfunctionalityerror
        ai_invalidmessageroleerror ai_messageconversionerror ai_unsupportedmodelversionerror ai_nosuchprovidererror`,
      auth_required: 'ai_loadapikeyerror gatewayauthenticationerror',
      ambiguous: `ai_jsonparseerror ai_typevalidationerror ai_invalidresponsedataerror ai_emptyresponsebodyerror`,
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
      const { type, content } = value
      if (type === 'error') return hasError(value) ? asSent(value['error']) : value
      // A model's whole answer has no type; one with content is an answer, however it ended.
      const ends = type === 'finish' || (type === undefined && Array.isArray(content) && content.length === 0)
      return ends && reasonOf(value) === 'error' ? value : undefined
    },
    isContent: (item) => {
      if (typeof item === 'string') return item !== ''
      if (!isPart(item)) return undefined
      const type = String(item['type'])
      if (SILENT.has(type)) return false
      if (!type.endsWith('-delta')) return true
      return ['text', 'delta', 'textDelta', 'argsTextDelta', 'inputTextDelta'].some((name) => isFilled(item[name]))
    },
    // The stream of texts ends without a word; one that the provider never ended is finished by its model object.
    isEnd: (item) => (isPart(item) ? item['type'] === 'finish' && reasonOf(item) !== 'interrupted' : undefined),
  },
})

/**
 * Vercel's AI SDK: looks through `AI_RetryError` (`lastError`) and `AI_APICallError` (`statusCode`, `responseHeaders`,
 * `responseBody`, `data`, `cause`) at what the API said, and reads that by the family of its `url`. `isRetryable` is made
 * of the status, so it decides nothing. Streams: the parts of `fullStream`, the texts of `textStream`.
 */
export const aiSdk: AdapterProducer = {
  ...base,
  classify: (raw, env) => base.classify(asSent(raw), env),
}

const MADE_BY_PROVIDER = Symbol.for('vercel.ai.providerStreamError')

/** What the API sent, without what the SDK made of it. */
function asSent(error: unknown): unknown {
  try {
    const { name, data, value, cause, [MADE_BY_PROVIDER]: made } = Object(error) as ErrorOfSdk
    // The status beside it is a guess, 500 for every code that the model object does not know.
    if (made === true && isItem(data)) return data
    // Its cause holds the codes of the validator (`invalid_type`), which read like an API's.
    if (name === UNEXPECTED) return { name, error: value }
    return cause?.name === UNEXPECTED ? { ...(error as object), name, cause: undefined } : error
  } catch {
    return error
  }
}

const UNEXPECTED = 'AI_TypeValidationError'

interface ErrorOfSdk {
  readonly name?: unknown
  readonly data?: unknown
  readonly value?: unknown
  readonly cause?: { readonly name?: unknown } | null
  readonly [MADE_BY_PROVIDER]?: unknown
}

/** Why a model stopped: a word, or from version 3 of the specification the word and the API's own. */
function reasonOf({ finishReason }: Item): unknown {
  return isItem(finishReason) ? finishReason['unified'] : finishReason
}

function isPart(item: unknown): item is Item {
  if (!isItem(item) || typeof item['type'] !== 'string') return false
  const { type } = item
  return SILENT.has(type) || /^(?:text|reasoning|tool|custom)-|^(?:file|object)$/.test(type)
}
