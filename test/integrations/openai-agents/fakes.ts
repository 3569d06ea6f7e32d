import { type Model, type ModelRequest, type ModelResponse, type StreamEvent, Usage } from '@openai/agents-core'

/** A request as the runner makes it. */
export function requestOf(input: string, rest: Partial<ModelRequest> = {}): ModelRequest {
  return { input, modelSettings: {}, tools: [], outputType: 'text', handoffs: [], tracing: false, ...rest }
}

export const textDelta = (delta: string): StreamEvent => ({ type: 'output_text_delta', delta })

export function messageOf(text: string): ModelResponse['output'] {
  return [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }]
}

export const responseOf = (text: string): ModelResponse => ({ usage: new Usage(), output: messageOf(text) })

export function doneWith(output: ModelResponse['output']): Extract<StreamEvent, { type: 'response_done' }> {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  return { type: 'response_done', response: { id: 'resp', usage, output: output as never } }
}

/** A model of the simplest kind, that shows what it was asked. */
export function speaking(text: string, asked: ModelRequest[] = []): Model {
  return {
    getResponse: async (request) => {
      asked.push(request)
      return responseOf(text)
    },
    async *getStreamedResponse(request) {
      asked.push(request)
      yield { type: 'response_started' }
      yield textDelta(text)
      yield doneWith(messageOf(text))
    },
  }
}

/** A model that throws what it is given, one after the other. */
export function refusing(...errors: readonly unknown[]): Model {
  let at = 0
  const next = (): unknown => errors[Math.min(at++, errors.length - 1)]
  return {
    getResponse: () => Promise.reject(next()),
    async *getStreamedResponse() {
      yield { type: 'response_started' }
      throw next()
    },
  }
}

export const refusal = (stated: string, fields: object = {}): Error =>
  Object.assign(new Error('refused'), { class: stated, ...fields })

/** A provider's own event, as the SDK hands it along. */
export const raw = (event: unknown): StreamEvent => ({ type: 'model', event })

/** A chunk of the Chat Completions API. */
export const chunk = (delta: object, finish: string | null = null): StreamEvent =>
  raw({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })

/** A model that streams what it is given and throws errors among it. */
export function streaming(...events: readonly (StreamEvent | Error)[]): Model {
  return {
    ...speaking(''),
    async *getStreamedResponse() {
      yield { type: 'response_started' }
      for (const event of events) {
        if (event instanceof Error) throw event
        yield event
      }
    },
  }
}

export async function eventsOf(model: Model): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of model.getStreamedResponse(requestOf('Hello'))) events.push(event)
  return events
}
