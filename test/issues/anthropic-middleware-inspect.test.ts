import Anthropic from '@anthropic-ai/sdk'
import type { Producer } from 'heed'
import { heedMiddleware } from 'heed/integrations/anthropic'
import { constant } from 'heed/strategies/backoff/constant'
import { afterEach, expect, test } from 'vitest'
import { closeAll, serve, soon } from './loopback.ts'

afterEach(closeAll)

const MESSAGE = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'Hi' }],
  model: 'x',
  stop_reason: 'end_turn',
  usage: {},
}
const asked = { model: 'x', max_tokens: 5, messages: [{ role: 'user' as const, content: 'Hello' }] }

async function ask(answers: readonly object[], options: Parameters<typeof heedMiddleware>[0]) {
  const server = await serve((n, _request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers[n - 1] ?? answers.at(-1)))
  })
  const middleware = [heedMiddleware({ backoff: constant(0), ...options }) as never]
  const ended = await soon(
    new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 0, middleware }).messages.create(asked),
  )
  return { ended, requests: server.requests() }
}

test('a producer whose inspect throws says nothing: the answer is served', async () => {
  const producer: Producer = {
    classify: () => undefined,
    inspect: () => {
      throw new Error('inspect is broken')
    },
  }
  expect((await ask([MESSAGE], { producer })).ended[0]).toBe('ok')
})

test("a candidate's own producer reads a 200 that failed", async () => {
  const busy = (value: unknown) => (JSON.stringify(value)?.includes('busy') ? { class: 'transient' } : undefined)
  const producer: Producer = { classify: (raw) => busy(Object(raw).error), inspect: busy }
  const { ended, requests } = await ask([{ oops: 'busy' }, MESSAGE], { candidates: [{ producer }] })
  expect(ended).toMatchObject(['ok', { id: 'm' }])
  expect(requests).toBe(2)
})
