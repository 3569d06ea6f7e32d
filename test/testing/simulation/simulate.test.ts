import { policyOf } from 'heed'
import {
  awsTokenBucket,
  type Behaviour,
  grpcThrottle,
  heedClients,
  naiveRetry,
  noRetry,
  recoverySecs,
  type SettledCall,
  type SimulationOptions,
  simulate,
  successBudget,
} from 'heed/testing'
import { describe, expect, test } from 'vitest'

const chain = [
  { id: 'a', provider: 'a' },
  { id: 'b', provider: 'b' },
]
const behaviours: readonly Behaviour[] = [
  noRetry(),
  naiveRetry(),
  grpcThrottle(),
  awsTokenBucket(),
  successBudget(),
  heedClients(policyOf({ candidates: chain.slice(0, 1) }), { name: 'heed' }),
  heedClients(policyOf({ candidates: chain }), { name: 'heed with a fallback' }),
  heedClients(policyOf({ candidates: chain, budget: false }), { name: 'heed without a budget' }),
]

/** Everything that can go wrong, one after the other. */
const troubled = (behaviour: Behaviour, seed = 1): SimulationOptions => ({
  seed,
  clients: 30,
  callsPerSec: 80,
  forMs: 120_000,
  timeoutMs: 1_000,
  servers: [
    {
      capacityPerSec: 100,
      queueLimit: 150,
      phases: [
        { kind: 'brown_out', fromMs: 10_000, untilMs: 20_000, capacity: 0.5 },
        { kind: 'outage', fromMs: 40_000, untilMs: 42_000 },
        { kind: 'outage', fromMs: 50_000, untilMs: 51_000, retryAfterSecs: 2 },
        { kind: 'flaky', fromMs: 55_000, untilMs: 60_000, share: 0.2 },
        { kind: 'rate_window', fromMs: 60_000, untilMs: 80_000, windowMs: 5_000, requests: 300 },
        { kind: 'revoked_key', fromMs: 90_000, untilMs: 100_000 },
      ],
    },
    { capacityPerSec: 40 },
  ],
  behaviour,
})

describe.each(behaviours)('$name', (behaviour) => {
  const settled: SettledCall[] = []
  const result = simulate({ ...troubled(behaviour), settled: (call) => void settled.push(call) })

  test('gives the same for the same seed, and other than for another', () => {
    expect(simulate(troubled(behaviour))).toEqual(result)
    expect(simulate(troubled(behaviour, 2)).seconds).not.toEqual(result.seconds)
  })

  test('settles every call once', () => {
    expect(settled.length).toBe(result.calls)
    expect(settled.filter(({ served }) => served).length).toBe(result.served)
    expect(settled.every(({ startMs, endMs }) => endMs >= startMs)).toBe(true)
    expect(Math.max(...settled.map(({ endMs }) => endMs))).toBe(result.endMs)
  })

  test('counts every attempt where it ends: with the server, and with the client', () => {
    const { attempts, timedOut, served, servers, repeats } = result
    const admitted = servers.reduce((sum, server) => sum + server.admitted, 0)
    const refused = servers.reduce((sum, server) => sum + server.refused, 0)
    expect(settled.reduce((sum, call) => sum + call.attempts, 0)).toBe(attempts)
    expect(settled.reduce((sum, call) => sum + call.repeats, 0)).toBe(repeats)
    expect(admitted + refused).toBe(attempts)
    expect(served + timedOut).toBe(admitted)
  })

  test('counts by second what it counts in all', () => {
    const sum = (counts: Int32Array): number => counts.reduce((total, each) => total + each, 0)
    const { started, served, attempts } = result.seconds
    expect([sum(started), sum(served), sum(attempts)]).toEqual([result.calls, result.served, result.attempts])
    expect(started.every((calls, second) => (served[second] ?? 0) <= calls)).toBe(true)
  })

  test('works off all that it took in', () => {
    const [server] = result.servers
    // At half speed a request takes up to 20 ms instead of 10.
    expect(server?.busyMs).toBeGreaterThan(10 * (server?.admitted ?? 0))
    expect(server?.busyMs).toBeLessThan(10 * (server?.admitted ?? 0) + 5_000 + 1)
  })

  test('meets the same calls as the others', () => {
    expect(result.calls).toBe(simulate(troubled(noRetry())).calls)
    expect(result.seconds.started.slice(0, 120)).toEqual(simulate(troubled(noRetry())).seconds.started.slice(0, 120))
  })
})

describe('recoverySecs', () => {
  const seconds = (started: readonly number[], served: readonly number[]) => ({
    started: Int32Array.from(started),
    served: Int32Array.from(served),
    attempts: Int32Array.from(started),
  })

  test('is the time until goodput is back for good', () => {
    const started = [100, 100, 100, 100, 100, 100]
    expect(recoverySecs(seconds(started, [100, 0, 0, 94, 95, 100]), 2)).toBe(2)
    expect(recoverySecs(seconds(started, [100, 0, 95, 95, 95, 95]), 2)).toBe(0)
    expect(recoverySecs(seconds(started, [100, 0, 95, 95, 94, 95]), 2)).toBe(3)
    expect(recoverySecs(seconds(started, [100, 0, 95, 95, 95, 94]), 2)).toBeUndefined()
  })

  test('leaves out the seconds in which the last calls settle', () => {
    expect(recoverySecs(seconds([100, 100, 100, 0, 0], [100, 0, 100, 0, 0]), 1)).toBe(1)
  })
})

test('a behaviour that asks a server which is not there is told', () => {
  const heed = heedClients(policyOf({ candidates: chain }))
  const servers = [{ capacityPerSec: 1, phases: [{ kind: 'outage', fromMs: 0, untilMs: 1e9 } as const] }]
  expect(() => simulate({ ...troubled(heed), servers })).toThrow('heed asks server 1')
})

test.each([Number.NaN, -1])('a behaviour that waits %d ms is told', (delayMs) => {
  const behaviour = naiveRetry({ backoff: () => delayMs })
  expect(() => simulate(troubled(behaviour))).toThrow(`simulate: naive 3 waits ${delayMs} ms; give 0 or more`)
})
