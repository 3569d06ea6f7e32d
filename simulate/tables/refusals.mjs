import { behaviours, defaultBudget, heedWith, loneBudget, named } from '../behaviours.mjs'
import { outage, refusing } from '../scenarios.mjs'
import { percent } from '../table.mjs'

/** With every call failing, repeats against what the budget promises at most. */
export function outageTable() {
  return {
    title: 'Every call fails for ten minutes: repeats, and at most 0.10 x calls + start x clients',
    head: ['budget', 'clients', 'calls', 'repeats', 'at most'],
    rows: [defaultBudget, loneBudget].flatMap((budget) =>
      [1, 20, 200].map((clients) => {
        const { calls, repeats } = outage(heedWith(budget), clients)
        const most = Math.floor(0.1 * calls + budget.start * clients)
        return [named(budget), clients, calls, repeats, most].map(String)
      }),
    ),
  }
}

/** @type {readonly (readonly [string, import('heed/testing').Phase])[]} */
const REFUSALS = [
  ['rate window', { kind: 'rate_window', fromMs: 60_000, untilMs: 360_000, windowMs: 60_000, requests: 3_000 }],
  ['revoked key', { kind: 'revoked_key', fromMs: 60_000, untilMs: 120_000 }],
]

/** What is asked of a server that says when to come back, or that a human is needed. */
export function refusalTable() {
  return {
    title:
      'Refusals, 20 clients at 80 calls a second for ten minutes: a rate window (3,000 requests a minute for 5 minutes), a key revoked for a minute',
    head: ['clients', ...REFUSALS.flatMap(([name]) => [`${name}: served`, 'refused requests']), 'humans asked'],
    rows: behaviours.map((behaviour) => {
      const results = REFUSALS.map(([, phase]) => refusing(behaviour, phase))
      return [
        behaviour.name,
        ...results.flatMap(({ served, calls, servers }) => [percent(served / calls), String(servers[0]?.refused)]),
        String(results.at(-1)?.prompts),
      ]
    }),
  }
}
