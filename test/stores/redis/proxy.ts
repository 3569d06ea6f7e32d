import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A network between workers and server that can be made bad. */
export interface Network {
  readonly url: string
  /** Milliseconds that everything takes longer, each way. */
  delayMs: number
  /** Ends all connections, and takes no new ones. */
  cut(): void
  /** Nothing gets through, and nobody is told. */
  stall(): void
  /** Ends `cut` and `stall`. */
  mend(): void
  close(): Promise<void>
}

export async function startProxy(port: number): Promise<Network> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let how: 'open' | 'cut' | 'stalled' = 'open'
  const server = createServer((near) => {
    if (how === 'cut') {
      near.destroy()
      return
    }
    const far = connect(port, '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('error', () => undefined)
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
      from.on('data', (part) => {
        if (how === 'stalled') return
        if (proxy.delayMs === 0) to.write(part)
        else setTimeout(() => !to.destroyed && to.write(part), proxy.delayMs)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const end = (): void => {
    for (const pair of [...pairs]) for (const socket of pair) socket.destroy()
  }
  const proxy: Network = {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delayMs: 0,
    cut: () => {
      how = 'cut'
      end()
    },
    stall: () => {
      how = 'stalled'
    },
    mend: () => {
      // What was swallowed is gone: such a connection is of no use to anybody.
      if (how === 'stalled') end()
      how = 'open'
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        end()
      }),
  }
  return proxy
}
