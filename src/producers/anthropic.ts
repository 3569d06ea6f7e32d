import { messagesCodes, messagesStream } from './dialects/messages.ts'
import type { HeaderMap } from './kit/headers.ts'
import { type AdapterProducer, adapter, type Facts } from './producer.ts'
import { readReset } from './retry-after.ts'

/**
 * Anthropic's messages. Codes: `error.type` of the API's "Errors" page (400 to 529). The size of a request is told only
 * in words, under `invalid_request_error`. Resets are ISO instants for the API's own limits and epoch seconds for the
 * windows of a subscription, where only a window that is `rejected` counts.
 */
export const anthropic: AdapterProducer = adapter({
  id: 'anthropic',
  codes: messagesCodes,
  texts: [
    {
      id: 'output_parameter',
      class: 'permanent',
      any: ['maximum allowed number of output tokens', 'max_tokens: must be', '`max_tokens` must be'],
    },
    {
      id: 'context_length',
      class: 'context_overflow',
      any: [
        'prompt is too long',
        'input is too long',
        ['exceed context limit'],
        ['input length', 'exceed'],
        ['context window', 'exceed'],
        'request exceeds the maximum size',
        'request too large',
        'request_too_large',
        ['maximum', 'pdf pages'],
        'too much media',
      ],
    },
    { id: 'billing', class: 'permanent', any: ['credit balance is too low', 'purchase credits'] },
    { id: 'usage_limit', class: 'transient', any: ['you will regain access on', 'specified api usage limits'] },
    {
      id: 'credential',
      class: 'auth_required',
      status: [401],
      any: [
        'invalid x-api-key',
        'invalid bearer token',
        'oauth token has expired',
        'oauth authentication is currently',
      ],
    },
    { id: 'overloaded', class: 'transient', any: ['overloaded'], status: [429, 500, 503, 529] },
    {
      id: 'rate_limited',
      class: 'transient',
      any: ['rate limit', 'rate_limit_error', 'usage limit reached'],
      status: [429],
    },
  ],
  hints: {
    body: regainedAccess,
    resets: [
      { reset: 'anthropic-ratelimit-requests-reset', remaining: 'anthropic-ratelimit-requests-remaining', unit: 'iso' },
      { reset: 'anthropic-ratelimit-tokens-reset', remaining: 'anthropic-ratelimit-tokens-remaining', unit: 'iso' },
      {
        reset: 'anthropic-ratelimit-input-tokens-reset',
        remaining: 'anthropic-ratelimit-input-tokens-remaining',
        unit: 'iso',
      },
      {
        reset: 'anthropic-ratelimit-output-tokens-reset',
        remaining: 'anthropic-ratelimit-output-tokens-remaining',
        unit: 'iso',
      },
      {
        reset: 'anthropic-ratelimit-unified-reset',
        status: 'anthropic-ratelimit-unified-status',
        unit: 'epoch-seconds',
      },
      {
        reset: 'anthropic-ratelimit-unified-5h-reset',
        status: 'anthropic-ratelimit-unified-5h-status',
        unit: 'epoch-seconds',
      },
      {
        reset: 'anthropic-ratelimit-unified-7d-reset',
        status: 'anthropic-ratelimit-unified-7d-status',
        unit: 'epoch-seconds',
      },
    ],
  },
  stream: messagesStream,
  signature: {
    hosts: ['api.anthropic.com'],
    headers: ['anthropic-'],
    fields: { request_id: 'req_' },
  },
})

/** The day on which a spending limit that the user has set ends, stated in words only. */
function regainedAccess(facts: Facts, nowMs: number, headers: HeaderMap): number | undefined {
  for (const text of facts.texts) {
    const found = /regain access on (\d{4}-\d\d-\d\d) at (\d\d:\d\d) UTC/i.exec(text.slice(0, 1_024))
    if (found !== null) return readReset(`${found[1]}T${found[2]}:00Z`, 'iso', nowMs, headers.get('date'))
  }
  return undefined
}
