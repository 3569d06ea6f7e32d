import { type Item, isFilled, isItem, itemsIn, payloadOf } from './kit/stream-shape.ts'
import { type AdapterProducer, adapter, codeTable } from './producer.ts'

/** Ends by which the service, not the model, stopped; `ERROR_LIMIT` is the older API's context length. */
const FAILED: ReadonlySet<string> = new Set(['ERROR', 'ERROR_TOXIC', 'ERROR_LIMIT', 'TIMEOUT', 'USER_CANCEL'])

/**
 * Cohere: a `message` and a status (its "Errors" page), and SDK errors named by status. A trial key's monthly calls are
 * a window. 498 is a blocked input, 499 a cancelled request. A stream may end with an error as its reason.
 */
export const cohere: AdapterProducer = adapter({
  id: 'cohere',
  codes: codeTable({
    transient: `toomanyrequestserror internalservererror serviceunavailableerror gatewaytimeouterror
      clientclosedrequesterror finish_error finish_timeout finish_user_cancel`,
    permanent: 'finish_error_toxic notimplementederror',
    context_overflow: 'finish_error_limit',
    vague: {
      permanent: 'badrequesterror forbiddenerror notfounderror unprocessableentityerror',
      auth_required: 'unauthorizederror invalidtokenerror',
    },
  }),
  statuses: { 498: 'permanent' },
  texts: [
    {
      id: 'context_length',
      class: 'context_overflow',
      any: [
        'too many tokens',
        ['size limit exceeded'],
        ['maximum', 'tokens', 'exceed'],
        ['total number of tokens', 'exceed'],
        'input is too long',
        'prompt is too long',
      ],
      status: [400, 413, 422],
    },
    {
      id: 'credential',
      class: 'auth_required',
      any: ['invalid api token', 'no api key supplied', 'invalid api key'],
      status: [400, 401],
    },
    {
      id: 'billing',
      class: 'permanent',
      any: ['please add or update your payment method', 'reached your billing limit', 'billing limit'],
    },
    {
      id: 'rate_limited',
      class: 'transient',
      any: ['trial key', 'rate limit', 'too many requests', 'calls / minute', 'api calls / month', 'status_code: 429'],
      status: [429],
    },
  ],
  hints: {
    text: ['try again in', 'retry after'],
    resets: [{ reset: 'x-ratelimit-reset', remaining: 'x-ratelimit-remaining', unit: 'any' }],
  },
  stream: {
    failureOf: (value) => {
      const item = payloadOf(value)
      if (!isItem(item)) return undefined
      const { delta } = item
      const reason = String((isItem(delta) ? delta['finish_reason'] : undefined) ?? item['finish_reason'])
      return FAILED.has(reason)
        ? { reason: `finish_${reason}`, error: isItem(delta) ? delta['error'] : item['error'] }
        : undefined
    },
    suspectOf: (value) => {
      const item = payloadOf(value)
      if (!isItem(item)) return undefined
      const bare = item['type'] === undefined && item['event_type'] === undefined && item['id'] === undefined
      return bare && typeof item['message'] === 'string' ? item : undefined
    },
    isContent: (value) => {
      const item = payloadOf(value)
      if (!isOwn(item)) return undefined
      const type = String(item['type'] ?? item['event_type'])
      if (type === 'text-generation') return isFilled(item['text'])
      if (type.startsWith('tool-call') || type === 'tool-plan-delta' || type === 'citation-start') return true
      return type === 'content-delta' && isItem(item['delta']) && isFilled(item['delta']['message'])
    },
    isEnd: (value) => {
      const item = payloadOf(value)
      if (!isOwn(item)) return undefined
      const type = item['type'] ?? item['event_type']
      return type === 'message-end' || type === 'stream-end' || itemsIn(item, 'generations').length > 0
    },
  },
  signature: { hosts: ['api.cohere.com', 'api.cohere.ai'], codes: 'CohereError' },
})

/** The events of its second API, which have a `type`. Those of the first have an `event_type`. */
const TYPES = `message-start message-end content-start content-delta content-end tool-plan-delta tool-call-start
  tool-call-delta tool-call-end citation-start citation-end debug`.split(/\s+/)

function isOwn(item: unknown): item is Item {
  if (!isItem(item)) return false
  return (
    typeof item['event_type'] === 'string' || TYPES.includes(String(item['type'])) || Array.isArray(item['generations'])
  )
}
