/** The client's side of OpenAI chat completions: how to ask, and how to read what comes back. */
export const openaiWire = {
  path: '/v1/chat/completions',
  headers: (token) => ({ authorization: `Bearer ${token}` }),
  payload: (model, messages, stream) => ({ model, messages, stream }),
  textOf: (answer) => answer.choices[0].message.content,
  deltaOf: (item) => item.choices?.[0]?.delta?.content ?? '',
  isEnd: (item) => typeof item.choices?.[0]?.finish_reason === 'string',
}
