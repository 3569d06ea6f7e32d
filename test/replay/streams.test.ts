import { producers } from 'heed/producers'
import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, env } from '../producers/answers.ts'
import { chainGuard, planFor, REFUSALS } from './chain.ts'
import { clients } from './clients.ts'
import { events } from './events.ts'
import { leapingClock } from './leaping-clock.ts'
import { type StreamSample, streams as samples, streamFailures } from './recorded.ts'
import { type ReplayServer, type Reply, replayServer, streams } from './replay-server.ts'

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

/** Streams a call whose first candidate answers so, and says what the consumer got. */
async function consume(answer: Answer, client: (typeof clients)[string], refused: readonly Reply[]) {
  const { preamble, content, end } = samples[answer.provider] as StreamSample
  const whole = streams([preamble, content, end])
  server.play({ refused, 'no-larger': [whole], larger: [whole] })
  const producer = producers[answer.provider]
  const { body } = client(producer, agent)
  const stream = chainGuard(producer, leapingClock(env.nowMs)).stream(async ({ candidate, abortSignal }) =>
    events(await body(server.url + candidate.id, abortSignal)),
  )
  const served = stream.opened.catch(() => undefined)
  const items: unknown[] = []
  let error: unknown
  try {
    for await (const item of stream) items.push(item)
  } catch (thrown) {
    error = thrown
  }
  return { items, error, attempts: (await served)?.attempts }
}

const ways = Object.entries(clients).filter(([way]) => !way.includes('facts'))

describe.each(ways)('%s', (_way, client) => {
  test.each(streamFailures.map((answer) => [answer.id, answer] as const))(
    '%s before content: the decision is that of its class, and one preamble is seen',
    async (_id, answer) => {
      const { preamble, content, end } = samples[answer.provider] as StreamSample
      const failed = streams([preamble, answer.body])
      const refused = [...Array.from({ length: REFUSALS }, () => failed), streams([preamble, content, end])]
      const { items, error, attempts } = await consume(answer, client, refused)
      const { asks, waitMs } = planFor(answer)
      expect(error).toBeUndefined()
      expect(server.asked).toEqual(asks)
      expect(attempts?.map(({ candidate }) => candidate)).toEqual(server.asked)
      expect(attempts?.[0]?.class).toBe(answer.expected.class)
      expect(attempts?.slice(1).map((attempt) => attempt.waited_ms)).toEqual(asks.slice(1).map(() => waitMs))
      expect(items).toEqual([preamble, content, end])
    },
  )

  test.each(streamFailures.map((answer) => [answer.id, answer] as const))(
    '%s after content: it is handed on, and nobody is asked again',
    async (_id, answer) => {
      const { preamble, content } = samples[answer.provider] as StreamSample
      const { items, error, attempts } = await consume(answer, client, [streams([preamble, content, answer.body])])
      expect(error).toBeUndefined()
      expect(items).toEqual([preamble, content, answer.body])
      expect(server.asked).toEqual(['refused'])
      expect(attempts).toHaveLength(server.asked.length)
    },
  )
})
