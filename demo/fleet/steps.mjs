/**
 * What a fake provider does with one request. A step gets the exchange: `{ dialect, payload, model, token, response }`.
 */
import { setTimeout as pause } from 'node:timers/promises'

/** Between two tokens, as real providers pace them; it also lets a client read a token before the failure after it. */
const TOKEN_GAP_MS = 15

/** Answers in full, unary or streamed as the request asks. */
export function answer(text) {
  return async (exchange) => {
    const { dialect, payload, model, response } = exchange
    const words = tokensOf(text)
    if (payload.stream !== true) return sendJson(response, 200, {}, dialect.unary(model, words))
    await stream(exchange, words)
    for (const frame of dialect.closing(model)) response.write(frame)
    response.end()
  }
}

/** Refuses with a status, headers and a body. */
export function refuse({ status, headers, body }) {
  return ({ response }) => sendJson(response, status, headers, body)
}

/** Resets the connection once the request has been read: the client cannot know what became of it. */
export function reset() {
  return ({ response }) => response.socket.resetAndDestroy()
}

/** Streams some tokens, then states a failure as an item of the stream. */
export function failInStream(body, { text = '', afterTokens = 0 } = {}) {
  return async (exchange) => {
    await stream(exchange, tokensOf(text).slice(0, afterTokens))
    exchange.response.end(exchange.dialect.failure(body))
  }
}

/** Streams some tokens, then closes the connection in the middle of the answer. */
export function cut(text, { afterTokens }) {
  return async (exchange) => {
    await stream(exchange, tokensOf(text).slice(0, afterTokens))
    exchange.response.socket?.destroySoon()
  }
}

async function stream({ dialect, model, response }, words) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const frame of dialect.opening(model)) response.write(frame)
  for (const word of words) {
    if (response.destroyed) return
    response.write(dialect.content(model, word))
    await pause(TOKEN_GAP_MS)
  }
}

function sendJson(response, status, headers, body) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function tokensOf(text) {
  return text.match(/\S+\s*/g) ?? []
}
