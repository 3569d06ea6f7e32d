/** The client's side of Anthropic messages: how to ask, and how to read what comes back. */
export const anthropicWire = {
  path: '/v1/messages',
  headers: (token) => ({ 'x-api-key': token, 'anthropic-version': '2023-06-01' }),
  payload: (model, messages, stream) => ({ model, messages, stream, max_tokens: 256 }),
  textOf: (answer) => answer.content[0].text,
  deltaOf: (item) => (item.type === 'content_block_delta' ? (item.delta.text ?? '') : ''),
  isEnd: (item) => item.type === 'message_stop',
}
