import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the provider says to a request: nothing is a success. */
export interface Said {
  readonly class?: string
  readonly retry_after_secs?: number
  readonly afterMs?: number
}

/** One request, by the provider's clock. */
export interface Arrival {
  readonly atMs: number
  readonly worker: string
  readonly candidate: string
  /** When the answer was sent. */
  answeredMs: number
}

/** A provider on a loopback port that writes down who asks it when. */
export interface Provider {
  readonly url: string
  readonly arrivals: readonly Arrival[]
  /** What it says from now on. */
  says(say: (candidate: string, number: number) => Said): void
  close(): Promise<void>
}

export async function startProvider(): Promise<Provider> {
  const arrivals: Arrival[] = []
  let say: (candidate: string, number: number) => Said = () => ({})
  const server = createServer((request, response) => {
    const candidate = (request.url ?? '/').slice(1)
    const arrival: Arrival = {
      atMs: performance.now(),
      worker: String(request.headers['x-worker']),
      candidate,
      answeredMs: Number.POSITIVE_INFINITY,
    }
    arrivals.push(arrival)
    const { afterMs = 0, ...said } = say(candidate, arrivals.filter((each) => each.candidate === candidate).length)
    setTimeout(() => {
      arrival.answeredMs = performance.now()
      response.end(JSON.stringify(said))
    }, afterMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    says: (next) => {
      arrivals.length = 0
      say = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
