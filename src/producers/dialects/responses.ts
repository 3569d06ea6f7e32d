import { type CodeTable, codeTable } from '../kit/codes.ts'
import type { HintRules } from '../kit/hints.ts'
import { type Item, isFilled, isItem, payloadOf, type StreamShape } from '../kit/stream-shape.ts'
import { chatCodes } from './chat-codes.ts'

/** The codes of a failed response (`ResponseError.code` in the API's reference) beside those of the chat dialect. */
export const responsesCodes: CodeTable = codeTable(
  {
    transient: 'server_error rate_limit_exceeded vector_store_timeout websocket_connection_limit_reached',
    permanent: `invalid_prompt bio_policy cyber_policy previous_response_not_found invalid_image invalid_image_format
      invalid_base64_image invalid_image_url image_too_large image_too_small image_parse_error
      image_content_policy_violation invalid_image_mode image_file_too_large unsupported_image_media_type
      empty_image_file failed_to_download_image image_file_not_found`,
  },
  chatCodes,
)

/** The rules under which Codex reads a wait out of the wording: its own rate limit, however it is told. */
const RATE_LIMITED: ReadonlySet<string> = new Set([
  'code.rate_limit_exceeded',
  'code.rate_limit_error',
  'code.too_many_requests',
  'text.rate_limited',
  'status_429',
])

/** Hints as Codex reads them, and no others: `Retry-After` and "try again in". */
export const codexHints: HintRules = { wholeSecondsOnly: true, readText: readTryAgainIn, textRules: RATE_LIMITED }

/** Seconds or milliseconds after "try again in": `7m12s` is none, as the unit must follow the first number. */
function readTryAgainIn(said: string): number | undefined {
  const lead = 'try again in'
  for (let at = said.indexOf(lead), tries = 0; at >= 0 && tries < 4; at = said.indexOf(lead, at + 1), tries += 1) {
    const found = /^\s{0,8}(\d{1,12})(\.\d{1,12}|)\s{0,8}(ms|s)/.exec(
      said.slice(at + lead.length, at + lead.length + 48),
    )
    if (found !== null) return Number(`${found[1]}${found[2]}`) / (found[3] === 'ms' ? 1_000 : 1)
  }
  return undefined
}

/** Events that end a response, whether or not it came out whole. */
const ENDS = ['response.completed', 'response.incomplete', 'response.done']

/** Responses, streamed and whole. */
export const responsesStream: StreamShape = {
  failureOf: (value) => {
    const item = payloadOf(value)
    if (!isItem(item)) return undefined
    const { type, response } = item
    if (type === 'error' || type === 'response.failed') return item
    if (item['object'] === 'response') return item['status'] === 'failed' ? item : undefined
    return isItem(response) && response['status'] === 'failed' ? item : undefined
  },
  suspectOf: (value) => {
    const item = payloadOf(value)
    return isItem(item) && item['type'] === undefined && isBareError(item) ? item : undefined
  },
  isContent: (value) => {
    const item = payloadOf(value)
    if (item === '[DONE]') return false
    if (!isEvent(item)) return undefined
    const type = String(item['type'])
    if (type.endsWith('.delta')) return isFilled(item['delta'])
    if (type === 'response.output_item.done' || type.endsWith('_text.done') || type.endsWith('_arguments.done'))
      return true
    if (isItem(item['response'])) return ENDS.includes(type) && isFilled(item['response']['output'])
    return Array.isArray(item['output']) && isFilled(item['output'])
  },
  isEnd: (value) => {
    const item = payloadOf(value)
    if (item === '[DONE]') return true
    return isEvent(item) ? ENDS.includes(String(item['type'])) || item['status'] === 'completed' : undefined
  },
}

/** The events (some backends add their own beside them), and a whole response. */
function isEvent(item: unknown): item is Item {
  if (!isItem(item)) return false
  const { type } = item
  if (typeof type !== 'string') return item['object'] === 'response' || Array.isArray(item['output'])
  return type.startsWith('response.') || type.startsWith('codex.') || type === 'error' || type === 'keepalive'
}

/** An error without its event: `{ error }`, `{ detail }` or a message alone, which no item of a response is. */
function isBareError(item: Item): boolean {
  if (item['choices'] !== undefined || item['output'] !== undefined || item['id'] !== undefined) return false
  return isFilled(item['error']) || typeof item['detail'] === 'string' || typeof item['message'] === 'string'
}
