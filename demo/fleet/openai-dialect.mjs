/**
 * The server's side of OpenAI chat completions: what a provider sends, unary and as server-sent events.
 * Tokens are the answer's words, so that a script can say after how many of them a stream fails.
 */
export const openaiDialect = {
  path: '/v1/chat/completions',

  /** The bearer token of a request, or nothing. */
  tokenOf: (headers) => /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1],

  /** What is wrong with a request, or nothing. */
  faultOf: (payload) => (Array.isArray(payload.messages) ? undefined : "Missing required parameter: 'messages'."),

  refusalOf: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),

  unary: (model, words) => ({
    id: 'chatcmpl-demo',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: words.join('') }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 8, completion_tokens: words.length, total_tokens: 8 + words.length },
  }),

  opening: (model) => [frame(chunk(model, { role: 'assistant', content: '' }))],
  content: (model, word) => frame(chunk(model, { content: word })),
  closing: (model) => [frame(chunk(model, {}, 'stop')), 'data: [DONE]\n\n'],
  failure: (body) => frame(body),
}

/** @param {string | null} finishReason */
function chunk(model, delta, finishReason = null) {
  return {
    id: 'chatcmpl-demo',
    object: 'chat.completion.chunk',
    model,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  }
}

/** This dialect never names its events. */
function frame(data) {
  return `data: ${JSON.stringify(data)}\n\n`
}
