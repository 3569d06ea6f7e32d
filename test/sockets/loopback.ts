import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** One request as the server sees it. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly socket: Socket
  /** Resolves when the connection has closed, whoever closed it. */
  readonly gone: Promise<void>
}

/** What the server does with one request. */
export type Step = (exchange: Exchange) => void

/** A server on a loopback port that does as it is told and counts what it is asked. */
export interface Loopback {
  readonly url: string
  /** Requests that arrived. */
  readonly requests: number
  /** The request of that number, from 1, once it has arrived. */
  arrived(number: number): Promise<Exchange>
  close(): Promise<void>
}

/** Starts a server that takes one step per request; the last one is repeated. */
export async function loopback(steps: readonly Step[]): Promise<Loopback> {
  const exchanges: Exchange[] = []
  const gone = new WeakMap<Socket, Promise<void>>()
  const waiting: { readonly number: number; readonly tell: (exchange: Exchange) => void }[] = []
  const server = createServer((request, response) => {
    const { socket } = request
    const exchange: Exchange = { request, response, socket, gone: gone.get(socket) as Promise<void> }
    exchanges.push(exchange)
    for (const { number, tell } of waiting) if (number === exchanges.length) tell(exchange)
    steps[Math.min(exchanges.length, steps.length) - 1]?.(exchange)
  })
  server.on('connection', (socket) => {
    // A client that goes away is what many of these tests are about.
    socket.on('error', () => undefined)
    gone.set(socket, new Promise((resolve) => socket.once('close', () => resolve())))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    get requests() {
      return exchanges.length
    },
    arrived: (number) => {
      const seen = exchanges[number - 1]
      return seen === undefined ? new Promise((tell) => waiting.push({ number, tell })) : Promise.resolve(seen)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers in full. */
export const answers =
  (text: string): Step =>
  ({ response }) =>
    response.end(text)

/** Answers a failure with the contract's fields in its body. */
export const refuses =
  (status: number, body: Readonly<Record<string, unknown>>): Step =>
  ({ response }) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** Resets the connection before a byte of an answer. */
export const resetsBeforeHeaders: Step = ({ socket }) => socket.resetAndDestroy()

/** Sends headers and a first part, and resets the connection once both are on their way. */
export const resetsInBody =
  (part: string): Step =>
  ({ response, socket }) => {
    response.writeHead(200, { 'content-length': 1_000 })
    response.write(part, () => socket.resetAndDestroy())
  }

/** Takes the request and says nothing. */
export const stalls: Step = () => undefined

/** Sends headers and a first part, and then nothing more. */
export const stallsInBody =
  (part: string): Step =>
  ({ response }) =>
    response.write(part)

/** Answers as HTTP/1.1 without a length: the end of the connection is the end of the body. */
export const closesToEnd =
  (text: string): Step =>
  ({ socket }) =>
    socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${text}`)

/** Promises more bytes than it sends before it closes the connection in good order. */
export const closesShort =
  (text: string): Step =>
  ({ socket }) =>
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length + 10}\r\nConnection: close\r\n\r\n${text}`)
