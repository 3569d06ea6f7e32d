import { Agent, request } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { readEvents } from '../../demo/client/server-sent-events.mjs'
import { wires } from '../../demo/client/wires.mjs'
import { startProvider } from '../../demo/fleet/provider.mjs'
import { always, inOrder, withinWindow } from '../../demo/fleet/scripts.mjs'
import { answer, cut, failInStream, refuse, reset } from '../../demo/fleet/steps.mjs'

type Dialect = 'openai' | 'anthropic'

const MESSAGES = [{ role: 'user', content: 'hello' }]
const open: { close(): Promise<unknown> }[] = []

afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

/** One provider with one model, and a way to ask it as a real client of that dialect would. */
async function provider(dialect: Dialect, script: unknown) {
  const server = await startProvider({ id: 'fake', dialect, models: { m: script as () => unknown } })
  const dispatcher = new Agent()
  open.push(server, dispatcher)
  const wire = wires[dialect]
  const ask = (stream: boolean, { model = 'm', path = wire.path, messages = MESSAGES, headers = {} } = {}) =>
    request(`${server.baseUrl}${path}`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...wire.headers('token'), ...headers },
      body: JSON.stringify(wire.payload(model, messages, stream)),
    })
  const items = async () => {
    const seen: Record<string, unknown>[] = []
    let failure: unknown
    try {
      for await (const item of readEvents((await ask(true)).body)) seen.push(item)
    } catch (error) {
      failure = error
    }
    return { seen, failure }
  }
  return { server, ask, items, wire }
}

test('OpenAI chat completions, in full and streamed', async () => {
  const { server, ask, items, wire } = await provider('openai', always(answer('three short words')))
  const { statusCode, body } = await ask(false)
  expect(statusCode).toBe(200)
  const whole = (await body.json()) as object
  expect(whole).toMatchObject({ object: 'chat.completion', choices: [{ finish_reason: 'stop' }] })
  expect(wire.textOf(whole as never)).toBe('three short words')

  const { seen, failure } = await items()
  expect(failure).toBeUndefined()
  expect(seen.map((item) => (item as { choices: { delta: unknown; finish_reason: unknown }[] }).choices[0])).toEqual([
    { index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null },
    { index: 0, delta: { content: 'three ' }, finish_reason: null },
    { index: 0, delta: { content: 'short ' }, finish_reason: null },
    { index: 0, delta: { content: 'words' }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: 'stop' },
  ])
  expect(seen.map((item) => wire.deltaOf(item as never)).join('')).toBe('three short words')
  expect(seen.map((item) => wire.isEnd(item as never))).toEqual([false, false, false, false, true])
  expect(server.requests.map((each) => each.candidate)).toEqual(['fake/m', 'fake/m'])
})

test('an OpenAI stream ends with [DONE]', async () => {
  const { ask } = await provider('openai', always(answer('words')))
  expect((await (await ask(true)).body.text()).endsWith('data: [DONE]\n\n')).toBe(true)
})

test('Anthropic messages, in full and streamed', async () => {
  const { ask, items, wire } = await provider('anthropic', always(answer('two words')))
  const whole = (await (await ask(false)).body.json()) as object
  expect(whole).toMatchObject({ type: 'message', stop_reason: 'end_turn' })
  expect(wire.textOf(whole as never)).toBe('two words')

  const { seen, failure } = await items()
  expect(failure).toBeUndefined()
  expect(seen.map((item) => item['type'])).toEqual([
    'message_start',
    'ping',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  expect(seen.map((item) => wire.deltaOf(item as never)).join('')).toBe('two words')
  expect(seen.map((item) => wire.isEnd(item as never)).indexOf(true)).toBe(seen.length - 1)
})

test('Anthropic names its events on the wire', async () => {
  const { ask } = await provider('anthropic', always(answer('word')))
  const names = (await (await ask(true)).body.text()).match(/^event: .+$/gm)
  expect(names).toContain('event: ping')
  expect(names?.at(-1)).toBe('event: message_stop')
})

test.each(['openai', 'anthropic'] as const)('a refusal of %s keeps status, headers and body', async (dialect) => {
  const refusal = { status: 429, headers: { 'retry-after': '1' }, body: { error: { class: 'transient' } } }
  const { ask } = await provider(dialect, inOrder(refuse(refusal), answer('well')))
  const refused = await ask(false)
  expect([refused.statusCode, refused.headers['retry-after'], await refused.body.json()]).toEqual([
    429,
    '1',
    refusal.body,
  ])
  // The last step serves all that follow.
  for (let again = 0; again < 2; again += 1) expect((await ask(false)).statusCode).toBe(200)
})

test.each(['openai', 'anthropic'] as const)('%s is cut after the tokens the script names', async (dialect) => {
  const { items, server, wire } = await provider(dialect, always(cut('one two three', { afterTokens: 2 })))
  const { seen, failure } = await items()
  expect(seen.map((item) => wire.deltaOf(item as never)).join('')).toBe('one two ')
  expect((failure as { code?: string }).code).toBe('UND_ERR_SOCKET')
  expect(server.requests).toHaveLength(1)
})

test.each(['openai', 'anthropic'] as const)('%s states a failure as an item of its stream', async (dialect) => {
  const body = { type: 'error', error: { code: 502, class: 'transient' } }
  const { items } = await provider(dialect, always(failInStream(body, { text: 'one two', afterTokens: 1 })))
  const { seen, failure } = await items()
  expect(failure).toBeUndefined()
  expect(seen.at(-1)).toEqual(body)
})

test('a reset is counted, and the client sees no answer', async () => {
  const { ask, server } = await provider('openai', always(reset()))
  await expect(ask(false)).rejects.toMatchObject({ code: expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET)$/) })
  expect(server.requests).toHaveLength(1)
})

test('a window is measured against the input that arrives', async () => {
  const over = refuse({ status: 400, headers: {}, body: { error: {} } })
  const { ask } = await provider('openai', withinWindow(2, answer('fits'), over))
  expect((await ask(false, { messages: [{ role: 'user', content: '8 chars.' }] })).statusCode).toBe(200)
  expect((await ask(false, { messages: [{ role: 'user', content: '9 chars..' }] })).statusCode).toBe(400)
})

test('what no such provider would take is refused in its own dialect', async () => {
  const openai = await provider('openai', always(answer('x')))
  expect((await openai.ask(false, { model: 'other' })).statusCode).toBe(404)
  expect((await openai.ask(false, { path: '/v1/messages' })).statusCode).toBe(400)
  const anthropic = await provider('anthropic', always(answer('x')))
  const unversioned = await request(`${anthropic.server.baseUrl}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: MESSAGES, max_tokens: 8 }),
  })
  expect(unversioned.statusCode).toBe(400)
  expect(await unversioned.body.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
})
