import type { Dialect } from './dialect.ts'

/** Anthropic messages: named events, a ping among them, each with its type in its data too. */
export const messages: Dialect = {
  path: '/messages',
  unary: (model, text) => ({
    ...message(model),
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 8, output_tokens: 8 },
  }),
  streamed: (model) => ({
    opening: () => [
      event({ type: 'message_start', message: message(model) }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      event({ type: 'ping' }),
    ],
    token: (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    closing: () => [
      event({ type: 'content_block_stop', index: 0 }),
      event({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 8 },
      }),
      event({ type: 'message_stop' }),
    ],
    failure: ({ type, message: words }) => event({ type: 'error', error: { type, message: words } }),
  }),
}

const event = (data: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

const message = (model: string): object => ({
  id: 'msg_kit',
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 8, output_tokens: 1 },
})
