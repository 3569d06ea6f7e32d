/** What providers answer when they refuse, in the shape of each dialect: real shapes, with no field of heed's. */
const bodies = {
  openai: {
    unavailable: {
      type: 'server_error',
      code: null,
      message: 'The server had an error while processing your request.',
    },
    rateLimited: { type: 'requests', code: 'rate_limit_exceeded', message: 'Rate limit reached.' },
    refusedKey: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key provided.' },
    outOfCredit: {
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      message: 'You exceeded your current quota.',
    },
  },
  anthropic: {
    unavailable: { type: 'overloaded_error', message: 'Overloaded' },
    rateLimited: { type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
    refusedKey: { type: 'authentication_error', message: 'invalid x-api-key' },
    outOfCredit: { type: 'billing_error', message: 'Your credit balance is too low.' },
  },
}

const statuses = { unavailable: 503, rateLimited: 429, refusedKey: 401, outOfCredit: 429 }

/** The body alone: it is an item of a stream too. @param {'openai' | 'anthropic'} dialect @param {keyof typeof statuses} name */
export const bodyOf = (dialect, name) => {
  const error = bodies[dialect][name]
  return dialect === 'anthropic' ? { type: 'error', error } : { error }
}

/** A whole answer. @param {'openai' | 'anthropic'} dialect @param {keyof typeof statuses} name */
export const refusalOf = (dialect, name, headers = {}) => ({
  status: statuses[name],
  headers,
  body: bodyOf(dialect, name),
})
