/** Plays one scenario: a fresh fleet, a fresh guard with its own health, and a record of everything that both sides saw. */
import { HEALTH_EVENTS, heed } from 'heed'
import { createClient } from './client/client.mjs'
import { producerFor } from './client/producer.mjs'
import { startFleet } from './fleet/fleet.mjs'
import { countAttempts, countRequests, ledgerOf } from './report/ledger.mjs'

/** Every event of the health channel but the decisions, which hold the whole policy. */
const EVENT_NAMES = HEALTH_EVENTS.filter((name) => name !== 'decision')

/**
 * @typedef {object} Scenario
 * @property {string} name Under which `--only` and the JSON lines know it.
 * @property {string} title
 * @property {readonly string[]} story What is about to happen, in a line or two.
 * @property {boolean} [crowd] So many calls that the timeline counts lines instead of repeating them.
 * @property {() => any[]} chain The candidates, each with a fresh script.
 * @property {object} [options] Of the guard, beside the candidates.
 * @property {(stage: any) => Promise<string>} run Answers the ending in a sentence; throws where it is not as it should be.
 */

/**
 * @param {Scenario} scenario One of `scenarios/`.
 * @param {{ heard(name: string, event: object, sinceMs: number): void, signIn(provider: string): Promise<void>,
 *   plantMismatch: boolean }} hands `plantMismatch` sends one request behind heed's back.
 * @returns {Promise<{ name: string, ending: string, fault?: string, ledger: object[] }>} `fault` says what did not come
 *   out as the scenario expects.
 */
export async function play(scenario, hands) {
  const fleet = await startFleet(scenario.chain())
  const tokens = new Map()
  const client = createClient((provider) => tokens.get(provider) ?? 'demo-token')
  const candidates = fleet.candidates.map((each) => ({ ...each, producer: producerFor(each.dialect) }))
  const guard = heed({ candidates, ...scenario.options })

  const startedMs = performance.now()
  const events = []
  for (const name of EVENT_NAMES) {
    guard.health.on(name, (event) => {
      events.push({ name, event })
      hands.heard(name, event, performance.now() - startedMs)
    })
  }

  const reported = []
  const thrown = []
  const call = (ask) => async (attempt) => {
    try {
      return await ask(attempt, attempt.input)
    } catch (failure) {
      thrown.push(failure)
      throw failure
    }
  }

  const stage = {
    guard,
    candidates,
    events,
    /** What the client threw into the guard, in order: to prove that a surfaced failure is the very same object. */
    thrown,
    requests: fleet.requests,
    eventsNamed: (name) => events.filter((each) => each.name === name).map((each) => each.event),
    /** One unary call, to its outcome. */
    settle: async (messages, options = {}) => {
      const outcome = await guard.settle(call(client.ask), { input: messages, ...options })
      reported.push(...outcome.attempts)
      return outcome
    },
    /** One streamed call. */
    stream: (messages, options = {}) => {
      const stream = guard.stream(call(client.open), { input: messages, ...options })
      stream.opened.then(
        (served) => reported.push(...served.attempts),
        () => {},
      )
      return stream
    },
    /** A person signs in again: from now on requests bear the new token. */
    signIn: async (provider, token) => {
      await hands.signIn(provider)
      tokens.set(provider, token)
    },
  }

  let ending = ''
  let fault
  try {
    ending = await scenario.run(stage)
  } catch (error) {
    fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  if (hands.plantMismatch) await askBehindItsBack(client, candidates[0])
  await client.close()
  await fleet.close()

  const ids = candidates.map((candidate) => candidate.id)
  const ledger = ledgerOf(ids, {
    announced: countAttempts(stage.eventsNamed('attempt')),
    reported: countAttempts(reported),
    received: countRequests(fleet.requests()),
  })
  return { name: scenario.name, ending, fault, ledger }
}

/** A request that heed knows nothing of; how it ends is of no interest. */
async function askBehindItsBack(client, candidate) {
  try {
    await client.ask({ candidate, idempotencyKey: 'planted' }, [{ role: 'user', content: 'planted' }])
  } catch {}
}
