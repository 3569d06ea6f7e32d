/** What happens to the clients: the scripts of the servers, and how many calls come. */
import { simulate } from 'heed/testing'

/** @typedef {import('heed/testing').Behaviour} Behaviour */

/** Calls that start in a second, at a server of 100 requests a second. */
export const OFFERED_PER_SEC = 80

const BROWN_OUT_SECS = 10

/**
 * A server of 100 requests a second works at half of that for 10 s, while 80 come in all. It sheds nothing: what a
 * client gave up after 1 s costs it all the same.
 * @param {{ behaviour: Behaviour, clients: number, seed: number, warmSecs: number, tailSecs?: number }} how
 *   `warmSecs`: calm before, in which budgets fill
 */
export function brownOut({ behaviour, clients, seed, warmSecs, tailSecs = 150 }) {
  const fromSec = warmSecs
  const untilSec = warmSecs + BROWN_OUT_SECS
  const result = simulate({
    seed,
    clients,
    callsPerSec: OFFERED_PER_SEC,
    forMs: (untilSec + tailSecs) * 1_000,
    timeoutMs: 1_000,
    servers: [
      {
        capacityPerSec: 100,
        phases: [{ kind: 'brown_out', fromMs: fromSec * 1_000, untilMs: untilSec * 1_000, capacity: 0.5 }],
      },
    ],
    behaviour,
  })
  return { result, fromSec, untilSec }
}

const SCRIPTS = 2_000

/**
 * Scripts of about 20 calls in 100 s, each its own process, at a server that has room for all.
 * @param {Behaviour} behaviour
 * @param {import('heed/testing').Phase} phase
 */
export function scripts(behaviour, phase) {
  return simulate({
    seed: 1,
    clients: SCRIPTS,
    callsPerSec: SCRIPTS / 5,
    forMs: 100_000,
    timeoutMs: 1_000,
    servers: [{ capacityPerSec: 1e9, phases: [phase] }],
    behaviour,
  })
}

/**
 * Every call fails at once, from the first to the last.
 * @param {Behaviour} behaviour
 * @param {number} clients
 */
export function outage(behaviour, clients) {
  return simulate({
    seed: 1,
    clients,
    callsPerSec: OFFERED_PER_SEC,
    forMs: 600_000,
    servers: [{ capacityPerSec: 100, phases: [{ kind: 'outage', fromMs: 0, untilMs: Number.POSITIVE_INFINITY }] }],
    behaviour,
  })
}

/**
 * Ten minutes of 80 calls a second from 20 clients at a server with room, in which one thing is refused.
 * @param {Behaviour} behaviour
 * @param {import('heed/testing').Phase} phase
 */
export function refusing(behaviour, phase) {
  return simulate({
    seed: 1,
    clients: 20,
    callsPerSec: OFFERED_PER_SEC,
    forMs: 600_000,
    timeoutMs: 1_000,
    servers: [{ capacityPerSec: 1_000, phases: [phase] }],
    behaviour,
  })
}

/**
 * 100,000 clients, an hour, 80 % load; in it a brown-out and an outage.
 * @param {Behaviour} behaviour
 */
export function hour(behaviour) {
  return simulate({
    seed: 1,
    clients: 100_000,
    callsPerSec: 1_600,
    forMs: 3_600_000,
    timeoutMs: 1_000,
    servers: [
      {
        capacityPerSec: 2_000,
        phases: [
          { kind: 'brown_out', fromMs: 600_000, untilMs: 610_000, capacity: 0.5 },
          { kind: 'outage', fromMs: 1_800_000, untilMs: 1_860_000 },
        ],
      },
    ],
    behaviour,
  })
}
