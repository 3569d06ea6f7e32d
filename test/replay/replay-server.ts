import type { ServerResponse } from 'node:http'
import type { Answer } from '../producers/answers.ts'
import { type Loopback, loopback } from '../sockets/loopback.ts'

/** Answers one request. */
export type Reply = (response: ServerResponse) => void

/** A server that answers each path from its own list; the last reply is repeated. */
export interface ReplayServer {
  readonly url: string
  /** The paths asked for, in order, since the last call of `play`. */
  readonly asked: readonly string[]
  /** Starts anew with these replies. */
  play(replies: Readonly<Record<string, readonly Reply[]>>): void
  close(): Promise<void>
}

/** Starts one on a loopback port. */
export async function replayServer(): Promise<ReplayServer> {
  let replies: Readonly<Record<string, readonly Reply[]>> = {}
  let asked: string[] = []
  const server: Loopback = await loopback([
    ({ request, response }) => {
      const path = (request.url ?? '').slice(1)
      const list = replies[path] ?? []
      const turn = asked.filter((one) => one === path).length
      asked.push(path)
      // What was recorded has its own date, or none that a wait may be measured against.
      response.sendDate = false
      list[Math.min(turn, list.length - 1)]?.(response)
    },
  ])
  return {
    url: server.url,
    get asked() {
      return asked
    },
    play: (next) => {
      replies = next
      asked = []
    },
    close: server.close,
  }
}

/** The refusal as it was recorded. */
export const refuses =
  ({ status, headers, body }: Answer & { readonly status: number }): Reply =>
  (response) => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  }

/** A success. */
export const says =
  (text: string): Reply =>
  (response) =>
    response.end(text)

/** A stream of events, each of them one item. */
export const streams =
  (items: readonly unknown[]): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const item of items) response.write(`data: ${JSON.stringify(item)}\n\n`)
    response.end()
  }
