import { readClassification } from 'heed'
import { HttpError } from 'heed/fetch'
import { type AdapterProducer, llm, producers } from 'heed/producers'
import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { env, isRight } from '../producers/answers.ts'
import { chainGuard, planFor, REFUSALS } from './chain.ts'
import { clients } from './clients.ts'
import { leapingClock } from './leaping-clock.ts'
import { refusals } from './recorded.ts'
import { type ReplayServer, refuses, replayServer, says } from './replay-server.ts'

let server: ReplayServer
let agent: Agent

beforeAll(async () => {
  server = await replayServer()
  agent = new Agent()
})

afterAll(async () => {
  await agent.destroy()
  await server.close()
})

/** Who states the class: the family to client and guard alike, or the client alone, told no family. */
const sayers: readonly (readonly [
  string,
  (family: AdapterProducer) => readonly [AdapterProducer | undefined, AdapterProducer | undefined],
])[] = [
  ['the family', (family) => [family, family]],
  ['the client alone, by shape', () => [undefined, undefined]],
]

const ways = Object.entries(clients).flatMap(([way, client]) =>
  sayers
    .filter(([who]) => who === 'the family' || !way.includes('facts'))
    .map(([who, producersOf]) => [way, who, client, producersOf] as const),
)

describe.each(ways)('%s, read by %s', (_way, _who, client, producersOf) => {
  test.each(refusals.map((answer) => [answer.id, answer] as const))('%s', async (_id, answer) => {
    const [ofClient, ofGuard] = producersOf(producers[answer.provider])
    const { asks, waitMs } = planFor(answer)
    const recorded = refuses(answer)
    server.play({
      refused: [...Array.from({ length: REFUSALS }, () => recorded), says('refused')],
      'no-larger': [says('no-larger')],
      larger: [says('larger')],
    })
    const clock = leapingClock(env.nowMs)
    const { text } = client(ofClient, agent)
    const outcome = await chainGuard(ofGuard, clock).settle(({ candidate, abortSignal }) =>
      text(server.url + candidate.id, abortSignal),
    )
    expect(server.asked).toEqual(asks)
    expect(outcome.attempts.map(({ candidate }) => candidate)).toEqual(server.asked)
    expect(outcome.attempts[0]?.class).toBe(answer.expected.class)
    if (answer.expected.class === 'auth_required') {
      expect(outcome).toMatchObject({ status: 'suspended', class: 'auth_required' })
      return
    }
    expect(outcome).toMatchObject({ status: 'completed', value: asks.at(-1) })
    expect(outcome.attempts.slice(1).map((attempt) => attempt.waited_ms)).toEqual(asks.slice(1).map(() => waitMs))
  })
})

test('what was thrown is read by the same producer as the answer itself would be', async () => {
  const { text } = (clients['fetchWithClass around undici’s fetch'] as (typeof clients)[string])(undefined, agent)
  const wrong: string[] = []
  for (const answer of refusals) {
    server.play({ refused: [refuses(answer)] })
    const error = await text(`${server.url}refused`, new AbortController().signal).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(HttpError)
    for (const producer of [producers[answer.provider], llm()]) {
      if (!isRight(producer.classify(error, env), answer.expected)) wrong.push(answer.id)
    }
    // The default producer had to find the family by itself.
    if (readClassification(error).class !== answer.expected.class) wrong.push(`${answer.id} on the wire`)
  }
  expect(wrong).toEqual([])
})

test('a login is awaited where the strategy is to pause, and the refused is asked again', async () => {
  for (const answer of refusals.filter(({ expected }) => expected.class === 'auth_required')) {
    server.play({ refused: [refuses(answer), says('refused')] })
    const { text } = (clients['undici’s request through the interceptor'] as (typeof clients)[string])(undefined, agent)
    const guard = chainGuard(undefined, standingClock, { auth: () => 'pause' })
    guard.health.on('auth_prompt', ({ provider }) => queueMicrotask(() => guard.auth.resolve(provider)))
    const outcome = await guard.settle(({ candidate, abortSignal }) => text(server.url + candidate.id, abortSignal))
    expect(outcome).toMatchObject({ status: 'completed', value: 'refused' })
    expect(server.asked).toEqual(['refused', 'refused'])
    expect(outcome.attempts).toHaveLength(server.asked.length)
  }
})

/** Time stands still: a pause ends only when it is resolved. */
const standingClock = { now: () => 0, wallNow: () => env.nowMs, setTimeout: () => 0, clearTimeout: () => undefined }

test('every class of the contract is among what is replayed, and nothing with a status is left out', () => {
  expect(new Set(refusals.map(({ expected }) => expected.class))).toEqual(
    new Set(['transient', 'permanent', 'auth_required', 'context_overflow']),
  )
  expect(refusals.length).toBeGreaterThan(50)
})
