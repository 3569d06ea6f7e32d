import { type CodeTable, codeTable } from '../kit/codes.ts'
import { hasError, type Item, isFilled, isItem, payloadOf, type StreamShape } from '../kit/stream-shape.ts'

/** The error types of the messages dialect, after its "Errors" page. */
export const messagesCodes: CodeTable = codeTable({
  transient: 'rate_limit_error overloaded_error timeout_error conflict_error',
  permanent: 'billing_error permission_error not_found_error',
  auth_required: 'authentication_error',
  context_overflow: 'request_too_large model_context_window_exceeded',
  vague: {
    transient: 'api_error internalservererror ratelimiterror conflicterror',
    permanent: 'invalid_request_error badrequesterror notfounderror permissiondeniederror unprocessableentityerror',
    auth_required: 'authenticationerror',
  },
})

/** Blocks that are an answer as soon as they begin: a tool may take no input, and then no delta follows. */
const SPEAKING_BLOCKS = ['tool_use', 'server_tool_use', 'redacted_thinking']

/** `message_start` … `message_stop`, and `event: error`. */
export const messagesStream: StreamShape = {
  failureOf: (value) => {
    const item = payloadOf(value)
    return isItem(item) && (item['type'] === 'error' || (item['type'] === undefined && hasError(item)))
      ? item
      : undefined
  },
  isContent: (value) => {
    const item = payloadOf(value)
    if (!isEvent(item)) return undefined
    const { type, delta, content_block: block } = item
    if (type === 'content_block_delta' && isItem(delta)) {
      return ['text', 'thinking', 'partial_json', 'signature', 'citation'].some((name) => isFilled(delta[name]))
    }
    if (type === 'message') return isFilled(item['content'])
    if (type !== 'content_block_start' || !isItem(block)) return false
    const kind = String(block['type'])
    return SPEAKING_BLOCKS.includes(kind) || kind.endsWith('_tool_result') || isFilled(block['text'])
  },
  isEnd: (value) => {
    const item = payloadOf(value)
    if (!isEvent(item)) return undefined
    return item['type'] === 'message_stop' || (item['type'] === 'message' && isFilled(item['stop_reason']))
  },
}

/** The events, and a whole message. */
const TYPES = new Set(
  `message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping message
    error`.split(/\s+/),
)

function isEvent(item: unknown): item is Item {
  return isItem(item) && typeof item['type'] === 'string' && TYPES.has(item['type'])
}
