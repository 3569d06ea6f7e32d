import { type BudgetOptions, policyOf } from 'heed'
import { type Behaviour, heedClients, simulate } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { brownOut, SEEDS } from './brown-out.ts'

const heedWith = (budget: BudgetOptions = {}): Behaviour =>
  heedClients(policyOf({ candidates: [{ id: 'only', provider: 'only' }], budget }))

describe('a brown-out of 10 s at half capacity under 80 % load', () => {
  test.each([
    { clients: 1, warmSecs: 20 },
    { clients: 20, warmSecs: 20 },
    { clients: 200, warmSecs: 20 },
    // Ten minutes fill every budget to its cap, however few calls its process makes.
    { clients: 1, warmSecs: 600 },
    { clients: 20, warmSecs: 600 },
    { clients: 200, warmSecs: 600 },
  ])(
    '$clients clients after $warmSecs s of calm: 95 % goodput again within 30 s, for good',
    ({ clients, warmSecs }) => {
      for (const seed of SEEDS) {
        const { recovery } = brownOut({ behaviour: heedWith(), clients, seed, warmSecs })
        expect(recovery).toBeLessThanOrEqual(30)
      }
    },
  )

  test('a filled budget of ten in each of 200 processes would keep the server down', () => {
    const { recovery } = brownOut({ behaviour: heedWith({ cap: 10 }), clients: 200, seed: 1, warmSecs: 600 })
    expect(recovery === undefined || recovery > 60).toBe(true)
  })
})

describe('every call fails', () => {
  test.each([1, 20, 200])('%i clients of the default budget: each repeats three times, and then no more', (clients) => {
    const repeated = new Array<number>(clients).fill(0)
    const { calls, repeats } = simulate({
      seed: 1,
      clients,
      callsPerSec: 80,
      forMs: 600_000,
      servers: [{ capacityPerSec: 100, phases: [{ kind: 'outage', fromMs: 0, untilMs: Number.POSITIVE_INFINITY }] }],
      behaviour: heedWith(),
      settled: (call) => {
        repeated[call.client] = (repeated[call.client] ?? 0) + call.repeats
      },
    })
    expect(repeated).toEqual(new Array(clients).fill(3))
    expect(repeats).toBeLessThanOrEqual(0.1 * calls + 3 * clients)
  })
})

describe('half of the calls fail', () => {
  test.each([
    { budget: {}, clients: 1 },
    { budget: {}, clients: 20 },
    { budget: { cap: 10 }, clients: 1 },
    { budget: { cap: 10, start: 0 }, clients: 20 },
    { budget: { cap: 3, deposit: 0.5 }, clients: 20 },
  ])('$clients clients, $budget: repeats are the start and what successes pay in, to one', ({ budget, clients }) => {
    const { start, deposit } = { start: 3, deposit: 0.1, ...budget }
    const spare = new Array<number>(clients).fill(start)
    simulate({
      seed: 1,
      clients,
      callsPerSec: 80,
      forMs: 600_000,
      servers: [{ capacityPerSec: 1e9, phases: [{ kind: 'flaky', fromMs: 0, untilMs: 1e9, share: 0.5 }] }],
      behaviour: heedWith(budget),
      settled: ({ client, repeats, served }) => {
        spare[client] = (spare[client] ?? 0) - repeats + (served ? deposit : 0)
      },
    })
    expect(Math.min(...spare)).toBeGreaterThan(-1e-6)
  })
})

describe('a script of twenty calls at a server that refuses one in twenty', () => {
  const servedShare = (budget: BudgetOptions): number => {
    const { served, calls } = simulate({
      seed: 1,
      clients: 2_000,
      callsPerSec: 400,
      forMs: 100_000,
      servers: [{ capacityPerSec: 1e9, phases: [{ kind: 'flaky', fromMs: 0, untilMs: 1e9, share: 0.05 }] }],
      behaviour: heedWith(budget),
    })
    return served / calls
  }

  test('the first repeat in hand is worth most', () => {
    const none = servedShare({ start: 0 })
    const one = servedShare({})
    const three = servedShare({ cap: 3 })
    expect(none).toBeLessThan(0.97)
    expect(one).toBeGreaterThan(0.98)
    expect(one - none).toBeGreaterThan(three - one)
  })
})
