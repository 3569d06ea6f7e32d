import Anthropic from '@anthropic-ai/sdk'
import { heedMiddleware } from 'heed/integrations/anthropic'
import { afterEach, describe, expect, test } from 'vitest'
import { closeAll, serve, soon } from './loopback.ts'

afterEach(closeAll)

const event = (type: string, data: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
const STREAM = [
  event('message_start', {
    message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'x', usage: {} },
  }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
  event('content_block_stop', { index: 0 }),
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
  event('message_stop'),
].join('')

const clientOf = (baseURL: string, heeded: boolean) =>
  new Anthropic({ apiKey: 'k', baseURL, maxRetries: 0, ...(heeded && { middleware: [heedMiddleware() as never] }) })

describe.each([false, true])('the client does the same with the middleware as without (heeded: %s)', (heeded) => {
  test('messages.batches.results: JSONL, no event stream', async () => {
    const lines = [1, 2].map((n) => JSON.stringify({ custom_id: `c${n}`, result: { type: 'canceled' } })).join('\n')
    const server = await serve((_n, request, response) => {
      const results = request.url?.endsWith('/results') === true
      response.setHeader('content-type', results ? 'application/x-jsonl' : 'application/json')
      response.end(
        results
          ? `${lines}\n`
          : JSON.stringify({ id: 'b', results_url: `${server.url}/v1/messages/batches/b/results` }),
      )
    })
    const read = async () => {
      const ids: string[] = []
      for await (const { custom_id } of await clientOf(server.url, heeded).messages.batches.results('b'))
        ids.push(custom_id)
      return ids
    }
    expect(await soon(read(), 4_000)).toEqual(['ok', ['c1', 'c2']])
  })

  test('beta.sessions.events.stream: events go out as they come', async () => {
    const server = await serve((_n, _request, response) => {
      response.setHeader('content-type', 'text/event-stream')
      response.write(event('session.status_running', { id: 'e1' }))
      response.write(event('agent.message', { id: 'e2', content: [{ type: 'text', text: 'Hi' }] }))
    })
    const read = async () => {
      for await (const each of await clientOf(server.url, heeded).beta.sessions.events.stream('s')) return each.type
      return undefined
    }
    expect(await soon(read())).toEqual(['ok', 'session.status_running'])
  })

  test.each([
    ['a [DONE] after the end, which gateways send', `${STREAM}data: [DONE]\n\n`],
    ['an event without a name', `data: hello\n\n${STREAM}`],
    ['a ping whose data is no JSON', `event: ping\ndata: ping\n\n${STREAM}`],
  ])('%s', async (_name, text) => {
    const server = await serve((_n, _request, response) => {
      response.setHeader('content-type', 'text/event-stream')
      response.end(text)
    })
    const asked = { model: 'x', max_tokens: 5, messages: [{ role: 'user' as const, content: 'Hello' }] }
    expect(await soon(clientOf(server.url, heeded).messages.stream(asked).finalText(), 3_000)).toEqual(['ok', 'Hi'])
  })
})
