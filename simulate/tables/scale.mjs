import { defaultBudget, heedWith, named } from '../behaviours.mjs'
import { hour } from '../scenarios.mjs'
import { percent } from '../table.mjs'

/** How long the simulator itself takes for 100,000 clients and an hour. */
export function scaleTable() {
  const from = performance.now()
  const { calls, attempts, events, served } = hour(heedWith(defaultBudget))
  const tookSecs = (performance.now() - from) / 1_000
  return {
    title: `100,000 clients and an hour of virtual time (heed: ${named(defaultBudget)})`,
    head: ['calls', 'attempts', 'events', 'served', 'took'],
    rows: [[String(calls), String(attempts), String(events), percent(served / calls, 1), `${tookSecs.toFixed(1)} s`]],
  }
}
