import Anthropic from '@anthropic-ai/sdk'
import { Stream } from '@anthropic-ai/sdk/core/streaming'
import { heedAnthropic } from 'heed/integrations/anthropic'
import { afterEach, describe, expect, expectTypeOf, test } from 'vitest'
import {
  inOrder,
  type ProviderServer,
  type Received,
  type Script,
  type Step,
  startProvider,
} from '../kit/provider-server.ts'
import { refusals } from '../kit/refusals.ts'
import { answer, events, namedEvent, refuse } from '../kit/steps.ts'

let server: ProviderServer

afterEach(() => server.close())

async function clientOf(script: Script): Promise<Anthropic> {
  server = await startProvider(script)
  return new Anthropic({ apiKey: 'sk-ant-own', baseURL: server.url, logLevel: 'off' })
}

const hello = { max_tokens: 64, messages: [{ role: 'user' as const, content: 'Hello' }] }

const start = (type: string, block: object): string =>
  namedEvent({ type: 'content_block_start', index: 0, content_block: { type, ...block } })
const lost = namedEvent({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
const ended = (stop: string): readonly string[] => [
  namedEvent({ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 0 } }),
  namedEvent({ type: 'message_stop' }),
]

test('has the types of the SDK, by `stream`', async () => {
  const client = await clientOf(() => answer('served'))
  const { messages, served } = heedAnthropic({ candidates: [{ client, model: 'claude' }] })
  const whole = await messages.create(hello)
  expectTypeOf(whole).toEqualTypeOf<Anthropic.Message>()
  const stream = await messages.create({ ...hello, stream: true })
  expectTypeOf(stream).toEqualTypeOf<Stream<Anthropic.RawMessageStreamEvent>>()
  expect(stream).toBeInstanceOf(Stream)
  for await (const _ of stream);
  for (const each of [whole, stream]) expect(served(each)).toMatchObject({ attempts: [{ waited_ms: 0 }] })
})

/** The SDK has had two ways to send its key. */
const keyOf = ({ headers }: Received) => headers['x-api-key'] ?? headers.authorization?.slice('Bearer '.length)

test('a refused key gives way to the next', async () => {
  const client = await clientOf((request) =>
    keyOf(request) === 'sk-ant-2' ? answer('from the second') : refuse(refusals.messages.authRequired),
  )
  const credentials = ['1', '2'].map((each) => ({ id: `key-${each}`, apiKey: `sk-ant-${each}` }))
  const { messages, served } = heedAnthropic({ candidates: [{ client, model: 'claude', credentials }] })
  const whole = await messages.create(hello)
  expect(whole.content).toMatchObject([{ text: 'from the second' }])
  expect(served(whole)?.credential).toBe('key-2')
  expect(server.requests.map(keyOf)).toEqual(['sk-ant-1', 'sk-ant-2'])
})

test('wrong options are refused with the path and the fix', async () => {
  const client = await clientOf(() => answer('served'))
  const wrong = (options: object) => () => heedAnthropic(options as never)
  expect(wrong({ candidates: [{ client: { messages: {} } }] })).toThrow(/candidates\[0\]\.client: .*new Anthropic/)
  expect(wrong({ candidates: [{ client }], timeoutMs: -1 })).toThrow(/timeoutMs/)
})

describe('stream events', () => {
  async function typesOf(...steps: readonly Step[]): Promise<readonly string[]> {
    const client = await clientOf(inOrder(...steps))
    const { messages } = heedAnthropic({ candidates: [{ client, model: 'claude' }], backoff: () => 0 })
    const types: string[] = []
    for await (const { type } of await messages.create({ ...hello, stream: true })) types.push(type)
    return types
  }

  test.each([
    ['a tool without input', start('tool_use', { id: 'toolu_1', name: 'f', input: {} })],
    [
      'a thought',
      namedEvent({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } }),
    ],
    [
      'part of an input',
      namedEvent({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{' } }),
    ],
  ])('%s commits: an error after it surfaces', async (_what, event) => {
    const asked = typesOf(
      events((streamed) => [...streamed.opening().slice(0, 1), event, lost]),
      answer('never'),
    )
    await expect(asked).rejects.toMatchObject({ error: { error: { type: 'overloaded_error' } } })
    expect(server.requests).toHaveLength(1)
  })

  test('a message start, a ping and an empty block do not: an error after them is tried again', async () => {
    const types = await typesOf(
      events((streamed) => [...streamed.opening(), lost]),
      answer('served'),
    )
    expect(types.filter((type) => type === 'message_start')).toHaveLength(1)
    expect(types.at(-1)).toBe('message_stop')
    expect(server.requests).toHaveLength(2)
  })

  test('a message that says nothing and ends is an answer', async () => {
    const types = await typesOf(events((streamed) => [...streamed.opening().slice(0, 1), ...ended('refusal')]))
    expect(types).toEqual(['message_start', 'message_delta', 'message_stop'])
  })
})
