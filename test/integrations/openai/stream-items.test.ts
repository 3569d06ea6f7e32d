import { heedOpenAI } from 'heed/integrations/openai'
import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import { inOrder, type ProviderServer, type Step, startProvider } from '../kit/provider-server.ts'
import { answer, events, namedEvent } from '../kit/steps.ts'

let server: ProviderServer

afterEach(() => server.close())

async function chainAsking(...steps: readonly Step[]): Promise<ReturnType<typeof heedOpenAI>> {
  server = await startProvider(inOrder(...steps))
  const client = new OpenAI({ apiKey: 'sk', baseURL: `${server.url}/v1`, logLevel: 'off' })
  return heedOpenAI({ candidates: [{ client, model: 'm' }], backoff: () => 0 })
}

async function itemsOf<T>(stream: Promise<AsyncIterable<T>>): Promise<readonly T[]> {
  const items: T[] = []
  for await (const item of await stream) items.push(item)
  return items
}

const chunk = (delta: object, finishReason: string | null = null): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`

const lost = `data: {"error":{"message":"The server is overloaded","type":"server_error","code":null}}\n\n`

describe('chat chunks', () => {
  const ask = ({ chat }: ReturnType<typeof heedOpenAI>) =>
    itemsOf(chat.completions.create({ messages: [{ role: 'user', content: 'Hello' }], stream: true }))

  test.each([
    ['a text', { content: 'x' }],
    ['a tool call', { tool_calls: [{ index: 0, id: 'call_1', function: { name: 'f', arguments: '' } }] }],
    ['a refusal', { refusal: 'I cannot' }],
    ['reasoning', { reasoning_content: 'hm' }],
  ])('%s commits: an error after it surfaces', async (_what, delta) => {
    const chain = await chainAsking(
      events(() => [chunk({ role: 'assistant', content: '' }), chunk(delta), lost]),
      answer('never'),
    )
    await expect(ask(chain)).rejects.toThrow(/overloaded/)
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    ['a role', { role: 'assistant' }],
    ['an empty text', { content: '' }],
    ['nothing', {}],
  ])('%s does not: an error after it is tried again, and its item is not seen twice', async (_what, delta) => {
    const chain = await chainAsking(
      events(() => [chunk(delta), lost]),
      answer('served'),
    )
    const items = await ask(chain)
    expect(items.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('served')
    expect(items.filter(({ choices }) => choices[0]?.delta.role !== undefined)).toHaveLength(1)
    expect(server.requests).toHaveLength(2)
  })

  test('an answer that says nothing and ends is an answer', async () => {
    const chain = await chainAsking(
      events(() => [chunk({ role: 'assistant', content: '' }), chunk({}, 'content_filter')]),
    )
    expect(await ask(chain)).toHaveLength(2)
  })

  test('what comes after the finish is passed on', async () => {
    const usage = `data: {"object":"chat.completion.chunk","choices":[],"usage":{"total_tokens":3}}\n\n`
    const chain = await chainAsking(
      events(() => [chunk({ content: 'x' }), chunk({}, 'stop'), usage, 'data: [DONE]\n\n']),
    )
    expect((await ask(chain)).at(-1)).toMatchObject({ usage: { total_tokens: 3 } })
  })
})

describe('responses events', () => {
  const ask = ({ responses }: ReturnType<typeof heedOpenAI>) =>
    itemsOf(responses.create({ input: 'Hello', stream: true }))

  const failed = namedEvent({
    type: 'response.failed',
    sequence_number: 9,
    response: { id: 'resp_1', object: 'response', status: 'failed', error: { code: 'server_error', message: 'oops' } },
  })

  test('a failed response before content is tried again', async () => {
    const chain = await chainAsking(
      events((streamed) => [...streamed.opening(), failed]),
      answer('served'),
    )
    const types = (await ask(chain)).map(({ type }) => type)
    expect(types.filter((type) => type === 'response.created')).toHaveLength(1)
    expect(types.at(-1)).toBe('response.completed')
    expect(server.requests).toHaveLength(2)
  })

  test('a failed response after content is delivered as it came, and nothing is asked again', async () => {
    const chain = await chainAsking(
      events((streamed) => [...streamed.opening(), streamed.token('x'), failed]),
      answer('never'),
    )
    const surfaced: string[] = []
    chain.health.on('surface', ({ reason }) => surfaced.push(reason))
    expect((await ask(chain)).at(-1)).toMatchObject({ type: 'response.failed' })
    expect(surfaced).toEqual(['committed'])
    expect(server.requests).toHaveLength(1)
  })

  test('a tool call commits', async () => {
    const call = namedEvent({
      type: 'response.function_call_arguments.delta',
      sequence_number: 4,
      item_id: 'fc_1',
      output_index: 0,
      delta: '{"a"',
    })
    const chain = await chainAsking(
      events((streamed) => [...streamed.opening(), call, failed]),
      answer('never'),
    )
    expect((await ask(chain)).at(-1)).toMatchObject({ type: 'response.failed' })
    expect(server.requests).toHaveLength(1)
  })

  test('a response that is cut short by its limit has ended', async () => {
    const incomplete = namedEvent({
      type: 'response.incomplete',
      sequence_number: 5,
      response: { id: 'resp_1', object: 'response', status: 'incomplete', output: [] },
    })
    const chain = await chainAsking(events((streamed) => [...streamed.opening(), streamed.token('x'), incomplete]))
    expect((await ask(chain)).at(-1)).toMatchObject({ type: 'response.incomplete' })
  })
})
