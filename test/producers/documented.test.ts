import { describe, expect, test } from 'vitest'
import { type FamilyId, producers } from '../../src/producers/index.ts'
import { env } from './answers.ts'

/**
 * What each API's own error reference lists, as `status code` (0 where it comes in a stream or a 200), by the class it
 * has. A code stands in the place where that API puts it, under a message that says nothing.
 */
interface Reference {
  readonly body: (code: string) => unknown
  readonly transient?: string
  readonly permanent?: string
  readonly auth_required?: string
  readonly context_overflow?: string
}

const inError = (code: string): unknown => ({
  error: { message: 'See the documentation.', type: 'invalid_request_error', param: null, code },
})
const asType = (type: string): unknown => ({
  error: { message: 'See the documentation.', type, param: null, code: null },
})
const flat = (code: string): unknown => ({ code, message: 'See the documentation.', request_id: 'r-1' })
const messages = (type: string): unknown => ({
  type: 'error',
  error: { type, message: 'See the documentation.' },
  request_id: 'req_1',
})
const rpc = (status: string): unknown => ({ error: { code: 0, message: 'See the documentation.', status } })
const info = (reason: string): unknown => ({
  error: {
    code: 0,
    message: 'See the documentation.',
    status: 'INVALID_ARGUMENT',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }],
  },
})

const references: readonly (readonly [FamilyId, Reference])[] = [
  [
    'openai',
    {
      body: inError,
      transient: '429:rate_limit_exceeded 500:server_error 503:server_is_overloaded 503:slow_down',
      permanent: `429:insufficient_quota 429:billing_hard_limit_reached 403:unsupported_country_region_territory
        404:model_not_found 400:unsupported_parameter 400:unsupported_value 400:content_policy_violation 400:invalid_prompt
        400:missing_required_parameter`,
      auth_required: '401:invalid_api_key 401:invalid_organization 401:account_deactivated',
      context_overflow: '400:context_length_exceeded 400:string_above_max_length',
    },
  ],
  [
    'openai-responses',
    {
      body: (code) => ({ type: 'response.failed', response: { status: 'failed', error: { code, message: 'See.' } } }),
      transient: '0:server_error 0:rate_limit_exceeded 0:vector_store_timeout',
      permanent: `0:invalid_prompt 0:invalid_image 0:invalid_image_format 0:invalid_base64_image 0:invalid_image_url
        0:image_too_large 0:image_too_small 0:image_parse_error 0:image_content_policy_violation 0:invalid_image_mode
        0:image_file_too_large 0:unsupported_image_media_type 0:empty_image_file 0:failed_to_download_image
        0:image_file_not_found 0:insufficient_quota`,
      context_overflow: '0:context_length_exceeded',
    },
  ],
  [
    'openai-chatgpt',
    {
      body: asType,
      transient: '429:usage_limit_reached 429:rate_limit_exceeded 503:server_is_overloaded 503:slow_down',
      permanent: '429:usage_not_included 402:deactivated_workspace 400:cyber_policy',
      auth_required: '401:token_expired 401:token_revoked 401:refresh_token_reused 401:refresh_token_expired',
    },
  ],
  [
    'azure-openai',
    {
      body: (code) => ({ error: { code, message: 'See.' } }),
      transient:
        '429:429 429:TooManyRequests 429:RateLimitReached 408:Timeout 500:InternalServerError 503:ServiceUnavailable',
      permanent: `404:DeploymentNotFound 404:404 400:content_filter 403:Forbidden 400:OperationNotSupported
        403:PermissionDenied 403:QuotaExceeded`,
      auth_required: '401:401 401:Unauthorized 401:AccessDenied',
      context_overflow: '400:context_length_exceeded 413:413',
    },
  ],
  [
    'anthropic',
    {
      body: messages,
      transient:
        '429:rate_limit_error 500:api_error 504:timeout_error 529:overloaded_error 0:api_error 0:overloaded_error',
      permanent: '400:invalid_request_error 402:billing_error 403:permission_error 404:not_found_error',
      auth_required: '401:authentication_error',
      context_overflow: '413:request_too_large',
    },
  ],
  [
    'gemini',
    {
      body: rpc,
      transient: '429:RESOURCE_EXHAUSTED 500:INTERNAL 503:UNAVAILABLE 504:DEADLINE_EXCEEDED 499:CANCELLED 409:ABORTED',
      permanent: '400:INVALID_ARGUMENT 400:FAILED_PRECONDITION 403:PERMISSION_DENIED 404:NOT_FOUND 501:UNIMPLEMENTED',
      auth_required: '401:UNAUTHENTICATED',
    },
  ],
  [
    'vertex',
    {
      body: info,
      transient: '429:RATE_LIMIT_EXCEEDED 429:rateLimitExceeded 503:backendError',
      permanent: `403:SERVICE_DISABLED 403:BILLING_DISABLED 403:IAM_PERMISSION_DENIED 403:CONSUMER_SUSPENDED
        403:API_KEY_SERVICE_BLOCKED 403:API_KEY_IP_ADDRESS_BLOCKED`,
      auth_required:
        '400:API_KEY_INVALID 401:ACCESS_TOKEN_EXPIRED 401:CREDENTIALS_MISSING 401:ACCESS_TOKEN_TYPE_UNSUPPORTED',
    },
  ],
  [
    'gemini-code-assist',
    {
      body: info,
      transient: '429:QUOTA_EXHAUSTED 429:RATE_LIMIT_EXCEEDED 429:MODEL_CAPACITY_EXHAUSTED',
      permanent: '429:INSUFFICIENT_G1_CREDITS_BALANCE 403:VALIDATION_REQUIRED 403:SERVICE_DISABLED',
    },
  ],
  [
    'bedrock',
    {
      body: (name) => ({ __type: `com.amazon.coral.service#${name}`, message: 'See.' }),
      transient: `429:ThrottlingException 503:ServiceUnavailableException 500:InternalServerException
        408:ModelTimeoutException 424:ModelErrorException 424:ModelStreamErrorException 429:ModelNotReadyException
        400:ServiceQuotaExceededException 400:TooManyRequestsException 403:RequestTimeTooSkewed 403:RequestExpired
        500:InternalFailure 503:ServiceUnavailable 503:SlowDown`,
      permanent: `403:AccessDeniedException 404:ResourceNotFoundException 400:ValidationException 400:IncompleteSignature
        403:OptInRequired 400:NotAuthorized`,
      auth_required: `403:ExpiredTokenException 403:ExpiredToken 403:UnrecognizedClientException 403:InvalidClientTokenId
        403:InvalidSignatureException 403:SignatureDoesNotMatch 403:MissingAuthenticationTokenException`,
    },
  ],
  [
    'openrouter',
    {
      body: (error_type) => ({ error: { code: 0, message: 'See.', metadata: { error_type } } }),
      transient: `429:rate_limit_exceeded 503:provider_overloaded 502:provider_unavailable 500:server 408:timeout
        402:in_flight_budget_exhausted`,
      permanent: `402:payment_required 403:permission_denied 400:invalid_prompt 400:max_tokens_exceeded
        400:token_limit_exceeded 400:invalid_image 400:image_too_large 403:content_policy_violation 400:invalid_request
        404:not_found`,
      auth_required: '401:authentication',
      context_overflow: '400:context_length_exceeded 400:string_too_long 413:payload_too_large',
    },
  ],
  [
    'groq',
    {
      body: inError,
      transient: '429:rate_limit_exceeded 498:capacity_exceeded 498:x 500:x 502:x 503:x',
      permanent:
        '400:json_validate_failed 400:tool_use_failed 400:model_decommissioned 403:model_permission_blocked_org 404:model_not_found',
      auth_required: '401:invalid_api_key',
      context_overflow: '413:x 400:context_length_exceeded',
    },
  ],
  [
    'mistral',
    {
      body: (code) => ({ object: 'error', message: 'See.', type: 'invalid_request_error', param: null, code }),
      transient: '429:1300 429:3505 500:3500 503:x',
      permanent: '400:1500 422:x 402:x',
      auth_required: '401:x',
    },
  ],
  [
    'cohere',
    {
      body: () => ({ message: 'See.' }),
      transient: '429:x 500:x 503:x 504:x 499:x',
      permanent: '400:x 402:x 403:x 404:x 405:x 422:x 498:x 501:x',
      auth_required: '401:x',
    },
  ],
  [
    'deepseek',
    {
      body: asType,
      transient: '429:rate 500:server 503:busy',
      permanent: '400:format 402:balance 422:parameters',
      auth_required: '401:authentication_error',
    },
  ],
  [
    'xai',
    {
      body: (code) => ({ code, error: 'See.' }),
      transient: '429:resource-exhausted 500:internal 503:unavailable 504:deadline-exceeded',
      permanent: '400:invalid-argument 403:permission-denied 404:not-found 405:x 415:x 422:x',
      auth_required: '401:unauthenticated',
    },
  ],
  [
    'together',
    {
      body: inError,
      transient: '429:rate_limit 500:x 503:engine_overloaded',
      permanent: '400:x 402:credit_limit 404:x 422:x',
      auth_required: '401:invalid_api_key',
    },
  ],
  [
    'fireworks',
    {
      body: inError,
      transient: '408:x 429:TOO_MANY_REQUESTS 500:x 502:x 503:x 504:x',
      permanent:
        '400:BAD_REQUEST 402:PAYMENT_REQUIRED 403:FORBIDDEN 404:NOT_FOUND 405:METHOD_NOT_ALLOWED 412:PRECONDITION_FAILED',
      auth_required: '401:UNAUTHORIZED',
      context_overflow: '413:PAYLOAD_TOO_LARGE',
    },
  ],
  [
    'moonshot',
    {
      body: asType,
      transient: '429:engine_overloaded_error 429:rate_limit_reached_error 500:server_error 500:unexpected_output',
      permanent:
        '400:content_filter 400:invalid_request_error 403:exceeded_current_quota_error 429:exceeded_current_quota_error 403:permission_denied_error 404:resource_not_found_error',
      auth_required: '401:invalid_authentication_error 401:incorrect_api_key_error',
    },
  ],
  [
    'zai',
    {
      body: inError,
      transient:
        '500:500 400:1200 500:1230 500:1234 429:1302 429:1303 429:1304 429:1305 429:1308 429:1310 429:1312 429:1313',
      permanent: `401:1110 401:1111 401:1112 429:1113 400:1210 400:1211 400:1212 400:1213 400:1214 403:1220 400:1221 404:1222
        400:1300 400:1301 429:1309 429:1311`,
      auth_required: '401:1000 401:1001 401:1002 401:1003 401:1004',
      context_overflow: '400:1261 435:x',
    },
  ],
  [
    'dashscope',
    {
      body: flat,
      transient: `429:Throttling 429:Throttling.RateQuota 429:Throttling.BurstRate 429:Throttling.AllocationQuota
        429:insufficient_quota 429:LimitRequests 500:InternalError 500:InternalError.Algo 500:SystemError
        503:ModelServiceUnavailable 503:ModelServingError 500:RequestTimeOut 429:limit_requests`,
      permanent: `400:Arrearage 400:DataInspectionFailed 400:data_inspection_failed 403:AllocationQuota.FreeTierOnly
        403:AccessDenied 403:AccessDenied.Unpurchased 404:ModelNotFound 403:Model.AccessDenied 400:InvalidParameter
        400:PrepaidBillOverdue 400:PostpaidBillOverdue 400:CommodityNotPurchased 400:InvalidURL`,
      auth_required: '401:InvalidApiKey 401:invalid_api_key',
    },
  ],
  [
    'minimax',
    {
      body: (status_code) => ({ base_resp: { status_code: Number(status_code), status_msg: 'See.' } }),
      transient: '0:1000 0:1001 0:1002 0:1024 0:1033 0:1039 0:1041 0:2045 0:2056',
      permanent: '0:1008 0:1026 0:1027 0:1042 0:2013 0:2061',
      auth_required: '0:1004 0:2049',
    },
  ],
  [
    'cerebras',
    {
      body: flat,
      transient: '429:token_quota_exceeded 429:request_quota_exceeded 429:queue_exceeded 408:x 500:x 503:x',
      permanent: '400:wrong_api_format 402:x 404:model_not_found 422:x',
      auth_required: '401:wrong_api_key',
      context_overflow: '400:context_length_exceeded',
    },
  ],
  [
    'volcengine-ark',
    {
      body: inError,
      transient: `429:RateLimitExceeded.EndpointRPMExceeded 429:RateLimitExceeded.EndpointTPMExceeded 429:QuotaExceeded
        429:ModelAccountRpmRateLimitExceeded 429:ModelAccountTpmRateLimitExceeded 429:RequestBurstTooFast
        429:ServerOverloaded 400:InvalidEndpoint.ClosedEndpoint 500:InternalServiceError`,
      permanent: `403:AccountOverdueError 429:SetLimitExceeded 403:AccessDenied 404:InvalidEndpointOrModel.NotFound
        404:ModelNotOpen 400:MissingParameter 400:InvalidParameter 400:SensitiveContentDetected
        400:InputTextRiskDetection 403:OperationDenied.ServiceOverdue`,
      auth_required: '401:AuthenticationError',
    },
  ],
  [
    'huggingface',
    {
      body: (error_type) => ({ error: 'See.', error_type }),
      transient: '429:overloaded 424:generation 500:incomplete_generation 503:x',
      permanent: '422:validation 402:x 404:x 400:x',
      auth_required: '401:x',
    },
  ],
  [
    'github-copilot',
    {
      body: inError,
      transient:
        '429:rate_limited 429:user_global_rate_limited 429:user_model_rate_limited:pro 429:quota_exceeded 402:quota_exceeded',
      permanent: '400:model_not_supported 400:unsupported_api_for_model 403:x 404:x',
      auth_required: '401:unauthorized',
      context_overflow: '400:model_max_prompt_tokens_exceeded 413:x',
    },
  ],
  [
    'opencode-zen',
    {
      body: messages,
      transient: '429:FreeUsageLimitError 429:SubscriptionUsageLimitError 429:RateLimitError',
      permanent: '401:CreditsError 401:MonthlyLimitError 401:UserLimitError 401:ModelError 403:RegionError',
      auth_required: '401:AuthError',
    },
  ],
  [
    'ollama',
    {
      body: () => ({ error: 'See.' }),
      transient: '429:x 500:x 502:x 503:x',
      permanent: '400:x 403:x 404:x',
      auth_required: '401:x',
    },
  ],
  [
    'vllm',
    {
      body: (type) => ({ object: 'error', message: 'See.', type, param: null, code: 0 }),
      transient: '500:InternalServerError 503:x',
      permanent: '400:BadRequestError 404:NotFoundError 422:x',
      auth_required: '401:x',
    },
  ],
  [
    'llama.cpp',
    {
      body: asType,
      transient: '500:server_error 503:unavailable_error',
      permanent: '400:invalid_request_error 404:not_found_error 403:permission_error 501:not_supported_error',
      auth_required: '401:authentication_error',
      context_overflow: '400:exceed_context_size_error 500:exceed_context_size_error',
    },
  ],
  ['lmstudio', { body: () => ({ error: 'See.' }), transient: '500:x 503:x', permanent: '400:x 404:x' }],
  [
    'sglang',
    {
      body: (type) => ({ object: 'error', message: 'See.', type, code: 0 }),
      transient: '500:InternalServerError 503:x',
      permanent: '400:BadRequest',
      auth_required: '401:x',
    },
  ],
  [
    'mcp',
    {
      body: (code) => ({ jsonrpc: '2.0', id: 1, error: { code: Number(code), message: 'See.' } }),
      transient: '0:-32603',
      permanent: '0:-32700 0:-32600 0:-32601 0:-32602 0:-32002',
    },
  ],
]

const rows = references.flatMap(([id, { body, ...classes }]) =>
  Object.entries(classes).flatMap(([expected, list]) =>
    list
      .trim()
      .split(/\s+/)
      .map((entry) => {
        const at = entry.indexOf(':')
        const [status, code] = [Number(entry.slice(0, at)), entry.slice(at + 1)]
        return {
          id,
          status,
          code,
          expected,
          raw: { status: status === 0 ? 200 : status, headers: {}, body: body(code) },
        }
      }),
  ),
)

describe('what each API documents', () => {
  test.each(rows)('$id $status $code is $expected', ({ id, raw, expected }) => {
    const found = producers[id].classify(raw, env)
    expect(found?.class, JSON.stringify(found)).toBe(expected)
    expect(found).not.toHaveProperty('ambiguous')
  })

  test('every family that is an API is here', () => {
    const wrappers = ['openai-compatible', 'generic-gateway', 'node-undici', 'http', 'cockatiel', 'ai-sdk', 'langchain']
    // What these state themselves, and every code of theirs, is in `stated.test.ts`.
    const stating = Object.keys(producers).filter((id) => producers[id as FamilyId].family.states !== undefined)
    const here = [...references.map(([id]) => id), ...wrappers, ...stating]
    expect(Object.keys(producers).filter((id) => !here.includes(id))).toEqual([])
  })
})

describe('a status and nothing else', () => {
  /** These see no HTTP of their own, or state their classes themselves and never by a status. */
  const without = ['broca', 'cockatiel']
  const speaking = Object.keys(producers).filter((id) => !without.includes(id)) as FamilyId[]

  test.each(speaking)('%s: a credential is asked for by 401 alone, and a 403 leaves it valid', (id) => {
    const classOf = (status: number): unknown => producers[id].classify({ status, headers: {}, body: '' }, env)?.class
    expect([401, 403, 429, 500, 502, 503, 504].map(classOf)).toEqual([
      'auth_required',
      'permanent',
      ...Array(5).fill('transient'),
    ])
    const forbidden = { error: { message: 'Forbidden. Check your API key, token and login.', code: null } }
    expect(producers[id].classify({ status: 403, body: forbidden }, env)?.class).toBe('permanent')
  })

  test.each(without as FamilyId[])('%s says nothing of it', (id) => {
    for (const status of [401, 403, 429, 500]) expect(producers[id].classify({ status }, env)).toBeUndefined()
  })
})
