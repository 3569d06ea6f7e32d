import { noRetry, type ServerScript, type SettledCall, type SimulationOptions, simulate } from 'heed/testing'
import { describe, expect, test } from 'vitest'

const settledBy = (options: Omit<SimulationOptions, 'settled' | 'seed' | 'behaviour'>): readonly SettledCall[] => {
  const settled: SettledCall[] = []
  simulate({ seed: 1, behaviour: noRetry(), settled: (call) => void settled.push(call), ...options })
  return settled
}

const ends = (server: ServerScript, rest: Partial<SimulationOptions> = {}): readonly number[] =>
  settledBy({ clients: 1, callsPerSec: 10, forMs: 500, arrivals: 'even', servers: [server], ...rest }).map(
    ({ endMs }) => endMs,
  )

describe('a queue that can be computed by hand', () => {
  test('with room, each request takes its service time: starts 0, 100, ..., 25 ms of service', () => {
    expect(ends({ capacityPerSec: 40 })).toEqual([25, 125, 225, 325, 425])
  })

  test('without room, each waits for the one before: service of 200 ms', () => {
    expect(ends({ capacityPerSec: 5 })).toEqual([200, 400, 600, 800, 1_000])
  })

  test('a request that a brown-out meets half way slows down: 20 ms of its 25 at full speed, 5 at half', () => {
    const phases = [{ kind: 'brown_out', fromMs: 120, untilMs: 250, capacity: 0.5 }] as const
    // The second is caught in service, the third begins at 200 ms at half speed and ends as the brown-out does.
    expect(ends({ capacityPerSec: 40, phases })).toEqual([25, 130, 250, 325, 425])
  })

  test('at no capacity nothing moves until the end', () => {
    const phases = [{ kind: 'brown_out', fromMs: 110, untilMs: 310, capacity: 0 }] as const
    expect(ends({ capacityPerSec: 40, phases })).toEqual([25, 325, 350, 375, 425])
  })

  test('with room for all nothing takes time but while there is no capacity at all', () => {
    const phases = [{ kind: 'brown_out', fromMs: 110, untilMs: 310, capacity: 0 }] as const
    expect(ends({ capacityPerSec: Number.POSITIVE_INFINITY, phases })).toEqual([0, 100, 310, 310, 400])
  })

  test('a client that gives up costs the server all the same', () => {
    const result = simulate({
      seed: 1,
      clients: 1,
      callsPerSec: 10,
      forMs: 500,
      arrivals: 'even',
      timeoutMs: 300,
      servers: [{ capacityPerSec: 5 }],
      behaviour: noRetry(),
    })
    // Ends at 200, 400, 600, 800 and 1,000 for starts at 0 to 400: the first three take at most 400, two within 300.
    expect(result).toMatchObject({ calls: 5, served: 2, timedOut: 3, endMs: 700 })
    expect(result.servers).toEqual([{ admitted: 5, refused: 0, busyMs: 1_000 }])
  })

  test('a limited queue sheds what is too much, at once', () => {
    const calls = settledBy({
      clients: 1,
      callsPerSec: 10,
      forMs: 600,
      arrivals: 'even',
      servers: [{ capacityPerSec: 4, queueLimit: 2 }],
    })
    // Service of 250 ms: 0 and 100 are taken in, 200 is shed; 300 finds one left, 400 is shed, 500 ends one.
    expect(calls.map(({ startMs, endMs, served }) => [startMs, endMs, served])).toEqual([
      [200, 200, false],
      [0, 250, true],
      [400, 400, false],
      [100, 500, true],
      [300, 750, true],
      [500, 1_000, true],
    ])
  })
})

describe('a queue of independent clients', () => {
  const busy = settledBy({ clients: 50, callsPerSec: 80, forMs: 2_000_000, servers: [{ capacityPerSec: 100 }] })

  test('waits as the recursion of Lindley says', () => {
    let freeAtMs = 0
    let error = 0
    for (const { startMs, endMs } of busy) {
      freeAtMs = Math.max(freeAtMs, startMs) + 10
      error = Math.max(error, Math.abs(endMs - freeAtMs))
    }
    expect(error).toBeLessThan(1e-6)
  })

  test('comes as often as it should', () => {
    // Four standard deviations of a Poisson count.
    expect(Math.abs(busy.length - 160_000)).toBeLessThan(4 * 400)
  })

  test('waits on average as the formula of Pollaczek and Khinchine says: at 80 % load, two services', () => {
    const use = (busy.length * 10) / 2_000_000
    const meanMs = busy.reduce((sum, { startMs, endMs }) => sum + endMs - startMs - 10, 0) / busy.length
    // Waits depend on each other, so that the mean of even 160,000 is only good to some percent.
    expect(Math.abs(meanMs / ((10 * use) / (2 * (1 - use))) - 1)).toBeLessThan(0.03)
  })

  test('comes evenly to all clients', () => {
    const counts = new Array<number>(50).fill(0)
    for (const { client } of busy) counts[client] = (counts[client] ?? 0) + 1
    const mean = busy.length / 50
    const chiSquared = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0)
    // The 99.9th percentile at 49 degrees of freedom.
    expect(chiSquared).toBeLessThan(85.4)
  })
})
