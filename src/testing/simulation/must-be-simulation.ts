import { mustBePhase } from './must-be-phase.ts'
import { mustFit, optional, type RulesOf } from './must-fit.ts'
import { count, fn, ms, msAbove0 } from './rules.ts'
import type { ServerScript } from './server-script.ts'
import type { SimulationOptions } from './simulation.ts'

/** Servers are told apart by the bits of a number. */
const MOST_SERVERS = 31

const OPTIONS: RulesOf<SimulationOptions> = {
  seed: { fits: Number.isFinite, fix: 'give a number' },
  clients: {
    fits: (value) => Number.isInteger(value) && Number(value) >= 1,
    fix: 'give a whole number of 1 or more',
  },
  callsPerSec: { fits: (value) => Number.isFinite(value) && Number(value) > 0, fix: 'give a number above 0' },
  forMs: msAbove0,
  timeoutMs: optional({
    fits: (value) => typeof value === 'number' && value > 0,
    fix: 'give milliseconds above 0, or Infinity for none',
  }),
  servers: {
    fits: (value) => Array.isArray(value) && value.length >= 1 && value.length <= MOST_SERVERS,
    fix: `give a list of 1 to ${MOST_SERVERS} servers`,
  },
  behaviour: {
    fits: isBehaviour,
    fix: 'give what heedClients(), retrying() or another of them makes, or an object with a name and a start function',
  },
  arrivals: optional({ fits: (value) => value === 'poisson' || value === 'even', fix: "give 'poisson' or 'even'" }),
  settled: optional(fn),
}

const SERVER: RulesOf<ServerScript> = {
  capacityPerSec: {
    fits: (value) => typeof value === 'number' && value > 0,
    fix: 'give requests per second, a number above 0',
  },
  queueLimit: optional(count),
  refusalMs: optional(ms),
  phases: optional({ fits: Array.isArray, fix: 'give a list of phases' }),
}

/**
 * Refuses options that make no simulation, before anything runs.
 *
 * @throws TypeError naming the path and what to give instead.
 */
export function mustBeSimulation(options: SimulationOptions): void {
  mustFit(options, OPTIONS, 'simulate')
  for (const [number, server] of options.servers.entries()) {
    const path = `servers[${number}]`
    mustFit(server, SERVER, 'simulate', path)
    for (const [place, phase] of (server.phases ?? []).entries()) mustBePhase(phase, `${path}.phases[${place}]`)
  }
}

function isBehaviour(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { name, start } = value as { readonly name?: unknown; readonly start?: unknown }
  return typeof name === 'string' && typeof start === 'function'
}
