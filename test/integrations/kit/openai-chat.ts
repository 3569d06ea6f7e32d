import type { Dialect } from './dialect.ts'

/** OpenAI chat completions: events without a name, `[DONE]` after the last. */
export const chat: Dialect = {
  path: '/chat/completions',
  unary: (model, text) => ({
    id: 'chatcmpl-kit',
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text, refusal: null }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 8, completion_tokens: 8, total_tokens: 16 },
  }),
  streamed: (model) => {
    const chunk = (delta: object, finishReason: string | null = null): string =>
      event({
        id: 'chatcmpl-kit',
        object: 'chat.completion.chunk',
        created: 1_790_000_000,
        model,
        choices: [{ index: 0, delta, finish_reason: finishReason }],
      })
    return {
      opening: () => [chunk({ role: 'assistant', content: '', refusal: null })],
      token: (text) => chunk({ content: text }),
      closing: () => [chunk({}, 'stop'), 'data: [DONE]\n\n'],
      failure: ({ type, code, message }) => event({ error: { message, type, param: null, code: code ?? null } }),
    }
  },
}

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`
