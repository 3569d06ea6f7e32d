import type { Dialect } from './dialect.ts'

/** OpenAI responses: named events, numbered through, each with its type in its data too. */
export const responses: Dialect = {
  path: '/responses',
  unary: (model, text) => response(model, 'completed', [message('completed', text)]),
  streamed: (model) => {
    let numbered = 0
    let said = ''
    const event = (type: string, data: object): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: numbered++, ...data })}\n\n`
    const place = { item_id: 'msg_kit', output_index: 0, content_index: 0 }
    return {
      opening: () => [
        event('response.created', { response: response(model, 'in_progress', []) }),
        event('response.in_progress', { response: response(model, 'in_progress', []) }),
        event('response.output_item.added', { output_index: 0, item: message('in_progress') }),
        event('response.content_part.added', { ...place, part: part('') }),
      ],
      token: (text) => {
        said += text
        return event('response.output_text.delta', { ...place, delta: text, logprobs: [] })
      },
      closing: () => [
        event('response.output_text.done', { ...place, text: said, logprobs: [] }),
        event('response.content_part.done', { ...place, part: part(said) }),
        event('response.output_item.done', { output_index: 0, item: message('completed', said) }),
        event('response.completed', { response: response(model, 'completed', [message('completed', said)]) }),
      ],
      failure: ({ type, code, message: words }) => event('error', { code: code ?? type, message: words, param: null }),
    }
  },
}

const part = (text: string): object => ({ type: 'output_text', text, annotations: [], logprobs: [] })

const message = (status: string, text?: string): object => ({
  id: 'msg_kit',
  type: 'message',
  role: 'assistant',
  status,
  content: text === undefined ? [] : [part(text)],
})

function response(model: string, status: string, output: readonly object[]): object {
  return {
    id: 'resp_kit',
    object: 'response',
    created_at: 1_790_000_000,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model,
    output,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage:
      status === 'completed'
        ? {
            input_tokens: 8,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: 8,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: 16,
          }
        : null,
  }
}
