import { messages } from './anthropic-messages.ts'
import { chat } from './openai-chat.ts'
import { responses } from './openai-responses.ts'

/** One streamed answer: every method answers server-sent events, as text, in the order in which they are sent. */
export interface StreamedAnswer {
  /** What comes before the first token: a preamble, which is not content. */
  opening(): readonly string[]
  /** One token of the answer. */
  token(text: string): string
  /** What ends an answer that is complete. */
  closing(): readonly string[]
  /** The dialect's own error event. */
  failure(error: FailureInStream): string
}

/** What an error event says, in the words that the dialects share. */
export interface FailureInStream {
  readonly type: string
  readonly code?: string
  readonly message: string
}

/** The server's side of one API. */
export interface Dialect {
  readonly path: string
  /** A whole answer, as it is sent where no stream was asked for. */
  unary(model: string, text: string): object
  streamed(model: string): StreamedAnswer
}

/** The APIs that the server speaks. */
export const dialects = { chat, responses, messages } as const

export type DialectName = keyof typeof dialects

/** The API that is asked for by a path; providers are often mounted below a prefix. */
export function dialectAt(path: string): Dialect | undefined {
  return Object.values(dialects).find((dialect) => path.endsWith(dialect.path))
}
