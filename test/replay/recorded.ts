import { type Answer, answers } from '../producers/answers.ts'

/** Failures that were answered with a status: they are replayed as they were sent. */
export const refusals: readonly (Answer & { readonly status: number })[] = answers.filter(
  (answer): answer is Answer & { readonly status: number } => answer.surface === 'http' && answer.status !== null,
)

/** Failures that came as an event of a stream that had begun with 200. */
export const streamFailures: readonly Answer[] = answers.filter(({ surface }) => surface === 'sse')

/** A stream that goes well, as its family sends it: what comes before the content, the content, and the end. */
export interface StreamSample {
  readonly preamble: unknown
  readonly content: unknown
  readonly end: unknown
}

const chat: StreamSample = {
  preamble: { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
  content: { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hi' } }] },
  end: { object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
}

const responses: StreamSample = {
  preamble: { type: 'response.created', response: { status: 'in_progress', output: [] } },
  content: { type: 'response.output_text.delta', delta: 'Hi' },
  end: { type: 'response.completed', response: { status: 'completed', output: [] } },
}

const google: StreamSample = {
  preamble: { usageMetadata: { promptTokenCount: 4 } },
  content: { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
  end: { candidates: [{ content: { parts: [] }, finishReason: 'STOP' }] },
}

/** By the family. One that is not here has no recorded stream failure. */
export const streams: Readonly<Record<string, StreamSample>> = {
  openrouter: chat,
  'openai-responses': responses,
  'openai-chatgpt': responses,
  gemini: google,
}
