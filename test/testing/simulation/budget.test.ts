import { type BudgetOptions, policyOf } from 'heed'
import { type Behaviour, heedClients, simulate } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { brownOut, SEEDS } from './brown-out.ts'

const heedWith = (budget: BudgetOptions): Behaviour =>
  heedClients(policyOf({ candidates: [{ id: 'only', provider: 'only' }], budget }))

/** What serves one script and a fleet of 200; everything else is default. */
const FLEET = { cap: 1, start: 1, deposit: 0.05 }

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
        const { recovery } = brownOut({ behaviour: heedWith(FLEET), clients, seed, warmSecs })
        expect(recovery).toBeLessThanOrEqual(30)
      }
    },
  )

  test('a filled budget of ten in each of 200 processes would keep the server down', () => {
    const { recovery } = brownOut({ behaviour: heedWith({ ...FLEET, cap: 10 }), clients: 200, seed: 1, warmSecs: 600 })
    expect(recovery === undefined || recovery > 60).toBe(true)
  })
})

describe('every call fails', () => {
  test.each([
    { budget: FLEET, clients: 1 },
    { budget: FLEET, clients: 20 },
    { budget: FLEET, clients: 200 },
    { budget: { cap: 10, start: 3, deposit: 0.1 }, clients: 1 },
    { budget: { cap: 10, start: 3, deposit: 0.1 }, clients: 20 },
    { budget: { cap: 10, start: 3, deposit: 0.1 }, clients: 200 },
    { budget: { cap: 10, start: 0, deposit: 0.1 }, clients: 20 },
  ])(
    '$clients clients, $budget: each repeats its start and the deposits of its calls, to one',
    ({ budget, clients }) => {
      const made = new Array<number>(clients).fill(0)
      const repeated = new Array<number>(clients).fill(0)
      const { calls, repeats } = simulate({
        seed: 1,
        clients,
        callsPerSec: 80,
        forMs: 600_000,
        servers: [{ capacityPerSec: 100, phases: [{ kind: 'outage', fromMs: 0, untilMs: Number.POSITIVE_INFINITY }] }],
        behaviour: heedWith(budget),
        settled: (call) => {
          made[call.client] = (made[call.client] ?? 0) + 1
          repeated[call.client] = (repeated[call.client] ?? 0) + call.repeats
        },
      })
      expect(repeats).toBeLessThanOrEqual(0.1 * calls + budget.start * clients + 1)
      // A deposit at a full cap is lost: that is the only way to earn less.
      const lost = budget.start >= budget.cap ? budget.deposit : 0
      const short = made.map((own, client) => budget.start + budget.deposit * own - (repeated[client] ?? 0))
      expect(Math.min(...short)).toBeGreaterThan(-1e-6)
      expect(Math.max(...short)).toBeLessThan(1 + lost + 1e-6)
    },
  )
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
    const none = servedShare({ ...FLEET, start: 0 })
    const one = servedShare(FLEET)
    const three = servedShare({ ...FLEET, cap: 3, start: 3 })
    expect(none).toBeLessThan(0.96)
    expect(one).toBeGreaterThan(0.98)
    expect(one - none).toBeGreaterThan(three - one)
  })
})
