import { type CodeTable, codeTable } from '../kit/codes.ts'
import { readDuration } from '../kit/duration.ts'
import { deepField, type Facts, field } from '../kit/facts.ts'
import type { Family } from '../kit/family.ts'
import type { HeaderMap } from '../kit/headers.ts'
import { hasError, type Item, isFilled, isItem, itemsIn, payloadOf, type StreamShape } from '../kit/stream-shape.ts'
import type { TextRule } from '../kit/wording.ts'
import { readReset } from '../retry-after.ts'

/**
 * Google's error model: `error.status` (google.rpc.Code), `reason` of an `ErrorInfo` (google.api.ErrorReason) or of the
 * older `errors` list, and OAuth's codes. The reason is the deeper one, so it is heard first.
 */
export const googleCodes: CodeTable = codeTable({
  transient: `unavailable deadline_exceeded internal aborted cancelled
    rate_limit_exceeded quota_exhausted model_capacity_exhausted resource_quota_exceeded
    ratelimitexceeded userratelimitexceeded quotaexceeded dailylimitexceeded concurrentlimitexceeded
    variabletermlimitexceeded backenderror internalerror servertimeout`,
  permanent: `permission_denied not_found already_exists unimplemented failed_precondition
    service_disabled billing_disabled consumer_suspended consumer_invalid user_project_denied
    api_key_service_blocked api_key_http_referrer_blocked api_key_ip_address_blocked api_key_android_app_blocked
    api_key_ios_app_blocked security_policy_violated location_policy_violated org_restriction_violation
    iam_permission_denied insufficient_g1_credits_balance user_blocked_by_admin validation_required
    accessnotconfigured forbidden insufficientpermissions billingnotenabled usagelimits ipreferrerblocked
    invalid_scope unauthorized_client`,
  auth_required: `unauthenticated api_key_invalid access_token_expired access_token_type_unsupported credentials_missing
    account_state_invalid session_cookie_invalid session_cookie_expired access_token_scope_insufficient
    autherror keyinvalid keyexpired required_login invalid_grant invalid_client invalid_rapt invalid_token`,
  vague: {
    transient: 'resource_exhausted unknown data_loss',
    permanent: 'invalid_argument out_of_range badrequest invalid',
  },
})

/** The wording of Google's generative APIs, where one status covers several kinds. */
export const googleTexts: readonly TextRule[] = [
  {
    id: 'context_length',
    class: 'context_overflow',
    any: [
      ['token count', 'exceeds the maximum number of tokens'],
      ['input token count', 'exceeds'],
      ['input tokens', 'exceeds'],
      ['input context', 'too long'],
      ['exceeds the maximum allowed', 'tokens'],
      'prompt is too long',
      'request payload size exceeds',
      'exceed context limit',
      'content exceeds the maximum',
    ],
    not: ['max_output_tokens', 'maxoutputtokens', 'output token'],
  },
  {
    id: 'quota_is_zero',
    class: 'permanent',
    over: 'rate_limit_exceeded quota_exhausted ratelimitexceeded quotaexceeded',
    any: ['limit: 0 ', 'limit: 0,'],
  },
  {
    id: 'billing',
    class: 'permanent',
    over: 'rate_limit_exceeded quota_exhausted ratelimitexceeded quotaexceeded',
    any: ['credits are depleted', 'spending cap', 'billing account is disabled', 'requires billing to be enabled'],
  },
  {
    id: 'credential',
    class: 'auth_required',
    status: [400, 401],
    any: [
      'api key not valid',
      'api key not found',
      'api key expired',
      'api_key_invalid',
      'invalid authentication credentials',
      'invalid_grant',
      'reauthentication',
      'could not load the default credentials',
    ],
  },
  {
    id: 'quota',
    class: 'transient',
    status: [429, 503],
    any: ['resource has been exhausted', 'quota exceeded', 'exceeded your current quota'],
  },
  {
    id: 'overloaded',
    class: 'transient',
    status: [429, 500, 503, 504],
    any: ['overloaded', 'high demand', 'internal error encountered', 'currently unavailable'],
  },
]

/** `RetryInfo` first, the field made for it; then the quota's own delay or moment. */
function retryInfo(facts: Facts, nowMs: number, headers: HeaderMap): number | undefined {
  const delay = deepField(facts, 'retryDelay')
  const stated = typeof delay === 'string' ? readDuration(delay) : protoSecs(delay)
  if (stated !== undefined && stated > 0) return stated
  const reset = deepField(facts, 'quotaResetDelay')
  const secs = typeof reset === 'string' ? readDuration(reset) : undefined
  if (secs !== undefined && secs > 0) return secs
  const at = deepField(facts, 'quotaResetTimeStamp')
  return typeof at === 'string' ? readReset(at, 'iso', nowMs, headers.get('date')) : undefined
}

/** A protobuf duration as gRPC clients decode it. */
function protoSecs(delay: unknown): number | undefined {
  if (typeof delay !== 'object' || delay === null) return undefined
  const [seconds, nanos] = [Number(field(delay, 'seconds') ?? 0), Number(field(delay, 'nanos') ?? 0)]
  return seconds >= 0 && nanos >= 0 ? seconds + nanos / 1e9 : undefined
}

/** `generateContent`, streamed and whole; some backends wrap each item in `response`. */
export const googleStream: StreamShape = {
  failureOf: (value) => {
    const item = answerIn(Array.isArray(value) ? value[0] : value)
    if (item === undefined) return undefined
    if (hasError(item)) return item
    const feedback = item['promptFeedback']
    const blocked = isItem(feedback) && isFilled(feedback['blockReason']) && itemsIn(item, 'candidates').length === 0
    return blocked ? { reason: 'prompt_blocked' } : undefined
  },
  isContent: (value) => candidatesIn(value)?.some(hasParts),
  isEnd: (value) => candidatesIn(value)?.some((candidate) => isFilled(candidate['finishReason'])),
}

function answerIn(value: unknown): Item | undefined {
  const item = payloadOf(value)
  if (!isItem(item)) return undefined
  return isItem(item['response']) && item['candidates'] === undefined ? item['response'] : item
}

/** Fields of which every item has one. */
const OWN = ['candidates', 'usageMetadata', 'promptFeedback', 'modelVersion']

function candidatesIn(value: unknown): readonly Item[] | undefined {
  const item = answerIn(value)
  return item !== undefined && OWN.some((name) => item[name] !== undefined) ? itemsIn(item, 'candidates') : undefined
}

/** A part is content unless it is an empty text. */
function hasParts(candidate: Item): boolean {
  const { content } = candidate
  return (
    isItem(content) &&
    itemsIn(content, 'parts').some((part) =>
      Object.keys(part).some((name) => name !== 'thought' && isFilled(part[name])),
    )
  )
}

/** What the families that speak Google's error model have in common. */
export const googleDialect: Omit<Family, 'id'> = {
  codes: codeTable({ permanent: 'prompt_blocked' }, googleCodes),
  codeLeads: ['_', 'unauthenticated', 'unavailable:'],
  codePattern:
    /(?:^|[\s:"'([])(resource_exhausted|unauthenticated|permission_denied|invalid_argument|failed_precondition|deadline_exceeded|unavailable:|api_key_invalid|model_capacity_exhausted|quota_exhausted)/,
  texts: googleTexts,
  hints: {
    body: retryInfo,
    text: ['please retry in', 'retry in', 'resets in', 'reset after', 'try again in', 'retry after'],
  },
  stream: googleStream,
}
