import { expect, test } from 'vitest'
import { type Client, clients } from './clients.ts'
import { guarded } from './guarded.ts'
import { answers, closesShort, closesToEnd, refuses, resetsBeforeHeaders, resetsInBody } from './loopback.ts'

// `guarded` compares, server by server, the requests that arrived with the attempts that heed reported.
test.each(Object.entries(clients))(
  'undici %s: requests counted by servers are the attempts reported',
  async (_name, client: Client) => {
    const overloaded = refuses(529, { class: 'transient' })
    const { guard, servers, call } = await guarded(
      [
        [answers('one'), overloaded, resetsBeforeHeaders, overloaded, refuses(400, { class: 'permanent' }), overloaded],
        [resetsInBody('half'), overloaded, answers('two'), refuses(413, { class: 'context_overflow' }), overloaded],
        [closesShort('half'), answers('three'), overloaded, closesToEnd('three')],
      ],
      { budget: false },
    )
    const calls = Array.from({ length: 40 }, (_, place) => guard.settle(call(client), { idempotent: place % 2 === 0 }))
    const outcomes = await Promise.all(calls)
    const attempts = outcomes.reduce((sum, outcome) => sum + outcome.attempts.length, 0)
    expect(attempts).toBe(servers.reduce((sum, server) => sum + server.requests, 0))
    expect(new Set(outcomes.map((outcome) => outcome.status))).toEqual(new Set(['completed', 'failed']))
    expect(attempts).toBeGreaterThan(outcomes.length)
  },
)
