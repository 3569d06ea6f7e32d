import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Dialect, dialectAt } from './dialect.ts'

/** One request as the server received it, and what became of the answer. */
export interface Received {
  readonly path: string
  readonly model: string
  /** Whether a stream was asked for. */
  readonly stream: boolean
  readonly headers: IncomingHttpHeaders
  /** The body as it was sent. */
  readonly body: string
  /** The answer has begun: what comes before its tokens is out. */
  readonly begun: boolean
  /** Tokens written so far. */
  readonly tokens: number
  /** The answer is out: everything that the step had to send. */
  readonly complete: boolean
  /** The client left before the answer was complete. */
  readonly left: boolean
  /** Resolves when the exchange is over, whoever ended it. */
  readonly over: Promise<void>
}

/** What a step has to work with. */
export interface Exchange {
  readonly request: Received & { begun: boolean; tokens: number }
  readonly dialect: Dialect
  readonly response: ServerResponse
  readonly socket: Socket
  /** The server itself is about to end the connection: what follows is not the client's leaving. */
  ownEnd(): void
}

/** What the server does with one request. */
export type Step = (exchange: Exchange) => Promise<void> | void

/** Answers the step to take; `index` counts the requests from 0. */
export type Script = (request: Received, index: number) => Step

/** A provider on a loopback port. */
export interface ProviderServer {
  /** `http://127.0.0.1:port`, without the `/v1` that SDKs differ about. */
  readonly url: string
  /** All requests, in the order of arrival. */
  readonly requests: readonly Received[]
  /** The request of that number, from 1, once it has arrived. */
  arrived(number: number): Promise<Received>
  close(): Promise<void>
}

/** Starts a provider that speaks every dialect of the kit by path, unary and streamed as each request asks. */
export async function startProvider(script: Script): Promise<ProviderServer> {
  const requests: Received[] = []
  const waiting: { readonly number: number; readonly tell: (request: Received) => void }[] = []
  const server = createServer(async (incoming, response) => {
    const dialect = dialectAt(incoming.url ?? '')
    let body: string
    try {
      body = await text(incoming)
    } catch {
      // The client left before it had sent its request: nothing was received.
      return
    }
    const asked = JSON.parse(body || '{}') as { readonly model?: string; readonly stream?: boolean }
    let serverEnds = false
    const request = {
      path: incoming.url ?? '',
      model: String(asked.model),
      stream: asked.stream === true,
      headers: incoming.headers,
      body,
      begun: false,
      tokens: 0,
      complete: false,
      left: false,
      over: new Promise<void>((resolve) => {
        response.once('close', () => {
          request.complete = response.writableFinished
          request.left = !response.writableFinished && !serverEnds
          resolve()
        })
      }),
    }
    const index = requests.push(request) - 1
    for (const { number, tell } of waiting) if (number === requests.length) tell(request)
    if (dialect === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `No route ${request.path}`, type: 'invalid_request_error' } }))
      return
    }
    const ownEnd = (): void => {
      serverEnds = true
    }
    await script(request, index)({ request, dialect, response, socket: incoming.socket, ownEnd })
  })
  // A client that goes away is what many of these tests are about.
  server.on('connection', (socket) => socket.on('error', () => undefined))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    arrived: (number) => {
      const seen = requests[number - 1]
      return seen === undefined ? new Promise((tell) => waiting.push({ number, tell })) : Promise.resolve(seen)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** One step for each request; the last one serves all that follow. */
export function inOrder(...steps: readonly Step[]): Script {
  return (_request, index) => steps[Math.min(index, steps.length - 1)] as Step
}
