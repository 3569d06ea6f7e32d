import type { SimulationOptions } from './simulation.ts'

/** Servers are told apart by the bits of a number. */
const MOST_SERVERS = 31

/** @throws TypeError naming what is wrong and what to give instead. */
export function mustBeSimulation(options: SimulationOptions): void {
  const { seed, clients, callsPerSec, forMs, timeoutMs = 1, servers } = options
  const wrong =
    (!Number.isFinite(seed) && 'seed: give a number') ||
    (!(Number.isInteger(clients) && clients >= 1) && 'clients: give a whole number of 1 or more') ||
    (!(callsPerSec > 0 && callsPerSec < Number.POSITIVE_INFINITY) && 'callsPerSec: give a number above 0') ||
    (!(forMs > 0 && forMs < Number.POSITIVE_INFINITY) && 'forMs: give milliseconds above 0') ||
    (!(timeoutMs > 0) && 'timeoutMs: give milliseconds above 0, or Infinity for none') ||
    (!(servers.length >= 1 && servers.length <= MOST_SERVERS) && `servers: give 1 to ${MOST_SERVERS}`) ||
    (servers.some(({ capacityPerSec }) => !(capacityPerSec > 0)) && 'servers: give each a capacityPerSec above 0')
  if (wrong !== false) throw new TypeError(`simulate: ${wrong}`)
}
