import type { FailureInStream } from './dialect.ts'
import type { Exchange, Step } from './provider-server.ts'
import { sendHalf, sendJson, sendTokens, textOf, tokensOf } from './send.ts'

/** A refusal: what a provider answers instead of serving. */
export interface Refusal {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What a step that fails in the middle waits for before it does: that the client has read what was sent. */
export interface Midway {
  /** Tokens sent before. @default 0 */
  readonly afterTokens?: number
  /** @default nothing to wait for */
  readonly when?: Promise<unknown>
}

/** Answers in full. A number is a text of so many tokens; a function makes it of the request. */
export function answer(content: string | number | ((request: Exchange['request']) => string)): Step {
  return async (exchange) => {
    const { dialect, request, response } = exchange
    const text =
      typeof content === 'function' ? content(request) : typeof content === 'number' ? textOf(content) : content
    if (!request.stream) return sendJson(exchange, 200, {}, dialect.unary(request.model, text))
    const { answer: streamed, send } = await sendTokens(exchange, tokensOf(text))
    for (const event of streamed.closing()) await send(event)
    response.end()
  }
}

/** Refuses with a status. */
export function refuse({ status, headers, body }: Refusal): Step {
  return (exchange) => sendJson(exchange, status, headers ?? {}, body)
}

/** A failure that calls itself a success: status 200 and the body of an error. */
export function answerWithErrorBody(body: unknown): Step {
  return (exchange) => sendJson(exchange, 200, {}, body)
}

/** Resets the connection once the request has been read and before a byte is answered. */
export const resetBeforeHeaders: Step = ({ socket, ownEnd }) => {
  ownEnd()
  socket.resetAndDestroy()
}

/** Sends tokens (half of a unary answer) and resets the connection. */
export function resetMidway(midway: Midway): Step {
  return breaksOff(midway, ({ socket }) => socket.resetAndDestroy())
}

/** Sends tokens (half of a unary answer) and closes the connection in good order, in the middle of the answer. */
export function cutMidway(midway: Midway): Step {
  return breaksOff(midway, ({ socket }) => socket.destroySoon())
}

function breaksOff({ afterTokens = 0, when }: Midway, end: (exchange: Exchange) => void): Step {
  return async (exchange) => {
    if (exchange.request.stream) await sendTokens(exchange, tokensOf(textOf(afterTokens)))
    else await sendHalf(exchange, textOf(60))
    await when
    exchange.ownEnd()
    end(exchange)
  }
}

/** Takes the request and says nothing until the client leaves. */
export const stallBeforeHeaders: Step = () => undefined

/** Sends tokens (half of a unary answer), and then nothing until the client leaves. */
export function stallMidway({ afterTokens = 0 }: Midway): Step {
  return async (exchange) => {
    if (exchange.request.stream) await sendTokens(exchange, tokensOf(textOf(afterTokens)))
    else await sendHalf(exchange, textOf(60))
  }
}

/** Streams far more than any buffer on the way holds, as fast as it is taken. */
export function flood(tokens: number, charsPerToken: number): Step {
  const token = 'x'.repeat(charsPerToken)
  return async (exchange) => {
    const { answer: streamed, send } = await sendTokens(
      exchange,
      Array.from({ length: tokens }, () => token),
    )
    for (const event of streamed.closing()) await send(event)
    exchange.response.end()
  }
}

/** Sends tokens and then an event whose data is no JSON, with the rest of the answer after it. */
export function malformedEvent(midway: Midway): Step {
  return inStream(midway, (_streamed) => 'event: message\ndata: {"choices":[{"delta":{"content":"never\n\n')
}

/** Sends tokens and then the dialect's own error event; the stream ends in good order. */
export function errorEvent(failure: FailureInStream, midway: Midway = {}): Step {
  return inStream(midway, (streamed) => streamed.failure(failure))
}

/** Sends tokens and ends in good order without what ends an answer. */
export function unfinished(midway: Midway): Step {
  return inStream(midway, () => '')
}

/** Sends the events that a test makes of the dialect's, and ends in good order. */
export function events(make: (streamed: Streamed) => readonly string[]): Step {
  return async ({ dialect, request, response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(make(dialect.streamed(request.model)).join(''))
  }
}

/** An event as it is sent: named, with JSON as its data. */
export function namedEvent(data: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Status 200 and not one event. */
export const emptyStream: Step = ({ response }) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end()
}

type Streamed = Awaited<ReturnType<typeof sendTokens>>['answer']

function inStream({ afterTokens = 0, when }: Midway, event: (streamed: Streamed) => string): Step {
  return async (exchange) => {
    const { answer: streamed, send } = await sendTokens(exchange, tokensOf(textOf(afterTokens)))
    await when
    await send(event(streamed))
    exchange.response.end()
  }
}
