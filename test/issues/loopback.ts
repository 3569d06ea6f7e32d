import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const open: Server[] = []

export function closeAll(): void {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
}

/** A loopback server; counts requests. */
export async function serve(answer: (n: number, request: IncomingMessage, response: ServerResponse) => void) {
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      requests += 1
      answer(requests, request, response)
    })
  })
  open.push(server)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests }
}

/** How a promise ended, or that it has not. */
export function soon<T>(
  promise: PromiseLike<T>,
  ms = 1_000,
): Promise<readonly ['ok', T] | readonly ['failed', unknown] | 'hangs'> {
  return Promise.race([
    Promise.resolve(promise).then(
      (value) => ['ok', value] as const,
      (error: unknown) => ['failed', error] as const,
    ),
    new Promise<'hangs'>((tell) => setTimeout(tell, ms, 'hangs')),
  ])
}
