/** The server's side of Anthropic messages: what a provider sends, unary and as named server-sent events. */
export const anthropicDialect = {
  path: '/v1/messages',

  /** The token of a request, or nothing. */
  tokenOf: (headers) => headers['x-api-key'],

  /** What is wrong with a request, or nothing. */
  faultOf: (payload, headers) => {
    if (headers['anthropic-version'] === undefined) return 'anthropic-version: header is required'
    if (!Number.isInteger(payload.max_tokens)) return 'max_tokens: Field required'
    return Array.isArray(payload.messages) ? undefined : 'messages: Field required'
  },

  refusalOf: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),

  unary: (model, words) => ({
    ...message(model),
    content: [{ type: 'text', text: words.join('') }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 8, output_tokens: words.length },
  }),

  opening: (model) => [
    frame({ type: 'message_start', message: message(model) }),
    frame({ type: 'ping' }),
    frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  ],
  content: (_model, word) =>
    frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word } }),
  closing: () => [
    frame({ type: 'content_block_stop', index: 0 }),
    frame({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 8 },
    }),
    frame({ type: 'message_stop' }),
  ],
  failure: (body) => frame(body),
}

function message(model) {
  const usage = { input_tokens: 8, output_tokens: 1 }
  return { id: 'msg_demo', type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage }
}

/** Every event bears its type twice: as the event's name and in its data. */
function frame(data) {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}
