import { type Attempt, type Candidate, type Guard, type HeedOptions, heed } from 'heed'
import { type FakeClock, fakeClock } from 'heed/testing'
import { Agent, fetch } from 'undici'
import { afterEach, expect } from 'vitest'
import type { Client } from './clients.ts'
import { type Exchange, type Loopback, loopback, type Step } from './loopback.ts'
import { networkProducer } from './network-producer.ts'

/** A candidate that is a server. */
export interface ServerCandidate extends Candidate {
  readonly url: string
}

/** Servers, and a guard whose chain they are. */
export interface Guarded {
  readonly servers: readonly Loopback[]
  readonly guard: Guard<ServerCandidate>
  readonly clock: FakeClock
  /** A server's first request, once it has arrived. */
  arrived(place?: number): Promise<Exchange>
  /** Asks the attempt's server with a client. */
  call(client: Client): (attempt: Attempt<ServerCandidate, undefined>) => Promise<string>
  /** Asks the attempt's server for a stream of bytes. */
  readonly bytes: (attempt: Attempt<ServerCandidate, undefined>) => Promise<ReadableStream<Uint8Array>>
}

const open: (() => Promise<void>)[] = []

// Whatever a test was about: heed reported what the servers saw, and left no timer.
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** Starts a server per script and a guard over them, with no wait between attempts and time that stands still. */
export async function guarded(
  scripts: readonly (readonly Step[])[],
  options: Partial<HeedOptions<ServerCandidate>> = {},
  agent: Agent.Options = {},
): Promise<Guarded> {
  const servers = await Promise.all(scripts.map((steps) => loopback(steps)))
  const dispatcher = new Agent(agent)
  const clock = fakeClock()
  const guard = heed<ServerCandidate>({
    candidates: servers.map(({ url }, place) => ({ id: `server-${place}`, provider: `provider-${place}`, url })),
    producer: networkProducer,
    backoff: () => 0,
    clock,
    random: () => 0,
    ...options,
  })
  const attempts = servers.map(() => 0)
  guard.health.on('attempt', ({ candidate }) => {
    const place = Number(candidate.slice('server-'.length))
    attempts[place] = (attempts[place] ?? 0) + 1
  })
  open.push(async () => {
    await dispatcher.destroy()
    for (const server of servers) await server.close()
    expect(attempts).toEqual(servers.map((server) => server.requests))
    expect(clock.pendingTimers).toBe(0)
  })
  return {
    servers,
    guard,
    clock,
    arrived: (place = 0) => (servers[place] as Loopback).arrived(1),
    call:
      (client) =>
      ({ candidate, abortSignal }) =>
        client({ url: candidate.url, signal: abortSignal, dispatcher }),
    bytes: async ({ candidate, abortSignal }) => {
      const { body } = await fetch(candidate.url, { signal: abortSignal, dispatcher })
      return body as unknown as ReadableStream<Uint8Array>
    },
  }
}

/** What a promise rejects with. */
export async function rejection(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not reject')
}
