import type { ServerResponse } from 'node:http'
import type { Exchange } from './provider-server.ts'

/** The tokens of a text: its words, each with the blanks after it. */
export function tokensOf(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? []
}

/** A text of so many tokens, each of them another. */
export function textOf(count: number): string {
  return Array.from({ length: count }, (_, at) => `t${at} `).join('')
}

/** Sends a whole answer as JSON. */
export function sendJson({ response }: Exchange, status: number, headers: Headers, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined || body === null ? '' : JSON.stringify(body))
}

type Headers = Readonly<Record<string, string>>

/** Begins a stream with what comes before its tokens, sends them and answers how to go on. */
export async function sendTokens(exchange: Exchange, tokens: readonly string[]): Promise<Streaming> {
  const { dialect, request, response } = exchange
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const answer = dialect.streamed(request.model)
  for (const event of answer.opening()) await send(response, event)
  request.begun = true
  for (const token of tokens) {
    if (response.destroyed) break
    await send(response, answer.token(token))
    request.tokens += 1
  }
  return { answer, send: (event) => send(response, event) }
}

export interface Streaming {
  readonly answer: ReturnType<Exchange['dialect']['streamed']>
  readonly send: (event: string) => Promise<void>
}

/** Sends headers and the first half of a whole answer, which promises more than it keeps. */
export async function sendHalf({ dialect, request, response }: Exchange, text: string): Promise<void> {
  const whole = JSON.stringify(dialect.unary(request.model, text))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length })
  await send(response, whole.slice(0, whole.length / 2))
}

/** Resolves once the text has gone to the system, or nobody is there to take it: a writer that waits is held back. */
function send(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve()
    const done = (): void => {
      response.off('close', done)
      resolve()
    }
    response.once('close', done)
    response.write(text, done)
  })
}
