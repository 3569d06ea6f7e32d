import type { DialectName, FailureInStream } from './dialect.ts'
import type { Refusal } from './steps.ts'

/** What the providers of one dialect answer when they refuse, a real body for each class. */
export interface Refusals {
  /** With `Retry-After: 2`. */
  readonly transientWithHint: Refusal
  readonly transient: Refusal
  readonly permanent: Refusal
  /** The quota is spent: billing, whatever the status says. */
  readonly quotaExhausted: Refusal
  readonly authRequired: Refusal
  readonly contextOverflow: Refusal
  /** What an error event of the dialect says when the provider is overloaded. */
  readonly transientInStream: FailureInStream
  /** The same for what no waiting mends. */
  readonly permanentInStream: FailureInStream
}

const openai: Refusals = {
  transientWithHint: {
    status: 429,
    headers: { 'retry-after': '2' },
    body: {
      error: {
        message:
          'Rate limit reached for gpt-5.1 in organization org-PLACEHOLDER on requests per min (RPM): Limit 500, Used 500, Requested 1. Visit https://platform.openai.com/account/rate-limits to learn more.',
        type: 'requests',
        param: null,
        code: 'rate_limit_exceeded',
      },
    },
  },
  transient: {
    status: 503,
    body: {
      error: {
        message: 'The server is currently overloaded with other requests. Sorry about that! Please retry your request.',
        type: 'server_error',
        param: null,
        code: null,
      },
    },
  },
  permanent: {
    status: 404,
    body: {
      error: {
        message: 'That model does not exist',
        type: 'invalid_request_error',
        param: null,
        code: 'model_not_found',
      },
    },
  },
  quotaExhausted: {
    status: 429,
    body: {
      error: {
        message:
          'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
        type: 'insufficient_quota',
        param: null,
        code: 'insufficient_quota',
      },
    },
  },
  authRequired: {
    status: 401,
    body: {
      error: {
        message:
          'Incorrect API key provided: sk-PLACEHOLDER. You can find your API key at https://platform.openai.com/account/api-keys.',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_api_key',
      },
    },
  },
  contextOverflow: {
    status: 400,
    body: {
      error: {
        message:
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 140031 tokens. Please reduce the length of the messages.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
  },
  transientInStream: {
    type: 'server_error',
    code: 'server_error',
    message: 'The server had an error while processing your request. Sorry about that!',
  },
  permanentInStream: {
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
}

const anthropic: Refusals = {
  transientWithHint: {
    status: 429,
    headers: { 'retry-after': '2', 'x-should-retry': 'true' },
    body: {
      type: 'error',
      error: {
        type: 'rate_limit_error',
        message: "This request would exceed your account's rate limit. Please try again later.",
      },
      request_id: 'req_PLACEHOLDER',
    },
  },
  transient: {
    status: 529,
    headers: { 'x-should-retry': 'true' },
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_PLACEHOLDER' },
  },
  permanent: {
    status: 404,
    body: {
      type: 'error',
      error: { type: 'not_found_error', message: 'model: claude-does-not-exist' },
      request_id: 'req_PLACEHOLDER',
    },
  },
  quotaExhausted: {
    status: 400,
    body: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
      },
      request_id: 'req_PLACEHOLDER',
    },
  },
  authRequired: {
    status: 401,
    body: {
      type: 'error',
      error: {
        type: 'authentication_error',
        message: 'OAuth token has expired. Please obtain a new token or refresh your existing token.',
      },
      request_id: 'req_PLACEHOLDER',
    },
  },
  contextOverflow: {
    status: 400,
    body: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 208656 tokens > 200000 maximum' },
      request_id: 'req_PLACEHOLDER',
    },
  },
  transientInStream: { type: 'overloaded_error', message: 'Overloaded' },
  permanentInStream: {
    type: 'invalid_request_error',
    message:
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  },
}

/** By dialect. */
export const refusals: Readonly<Record<DialectName, Refusals>> = {
  chat: openai,
  responses: openai,
  messages: anthropic,
}
