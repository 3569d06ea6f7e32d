import { isHeedError } from 'heed'
import { heedOpenAI } from 'heed/integrations/openai'
import { surface } from 'heed/strategies/auth/surface'
import OpenAI from 'openai'
import { Stream } from 'openai/core/streaming'
import { afterEach, describe, expect, expectTypeOf, test } from 'vitest'
import { inOrder, type ProviderServer, type Script, startProvider } from '../kit/provider-server.ts'
import { refusals } from '../kit/refusals.ts'
import { textOf } from '../kit/send.ts'
import { answer, refuse, resetBeforeHeaders, stallMidway } from '../kit/steps.ts'

const servers: ProviderServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(script: Script): Promise<{ readonly server: ProviderServer; readonly client: OpenAI }> {
  const server = await startProvider(script)
  servers.push(server)
  return { server, client: new OpenAI({ apiKey: 'sk-own', baseURL: `${server.url}/v1`, logLevel: 'off' }) }
}

const hello = { messages: [{ role: 'user' as const, content: 'Hello' }] }
const refused = inOrder(refuse(refusals.chat.permanent))

describe('what is answered', () => {
  test('has the types of the SDK, by `stream`', () => {
    const { chat, responses } = heedOpenAI({ candidates: [{ client: new OpenAI({ apiKey: 'sk' }), model: 'm' }] })
    const ask = () =>
      [
        chat.completions.create(hello),
        chat.completions.create({ ...hello, stream: true }),
        responses.create({ input: 'Hello' }),
        responses.create({ input: 'Hello', stream: true }),
      ] as const
    expectTypeOf<Awaited<ReturnType<typeof ask>[0]>>().toEqualTypeOf<OpenAI.Chat.ChatCompletion>()
    expectTypeOf<Awaited<ReturnType<typeof ask>[1]>>().toEqualTypeOf<Stream<OpenAI.Chat.ChatCompletionChunk>>()
    expectTypeOf<Awaited<ReturnType<typeof ask>[2]>>().toEqualTypeOf<OpenAI.Responses.Response>()
    expectTypeOf<Awaited<ReturnType<typeof ask>[3]>>().toEqualTypeOf<Stream<OpenAI.Responses.ResponseStreamEvent>>()
  })

  test('is told who served it, whole or streamed', async () => {
    const [a, b] = [await serve(refused), await serve(() => answer('from b'))]
    const { chat, served } = heedOpenAI({
      candidates: [
        { client: a.client, model: 'gpt-a', provider: 'one' },
        { client: b.client, model: 'gpt-b', provider: 'two' },
      ],
    })
    const whole = await chat.completions.create(hello)
    const stream = await chat.completions.create({ ...hello, stream: true })
    for (const each of [whole, stream]) {
      expect(served(each)).toMatchObject({
        candidate: { client: b.client, id: 'two/gpt-b' },
        attempts: [{ candidate: 'one/gpt-a', class: 'permanent' }, { candidate: 'two/gpt-b' }],
      })
    }
    expect(served({})).toBeUndefined()
    for await (const _ of stream);
  })

  test('a stream is one of the SDK: it can be split, sent on, and ended by its controller', async () => {
    const { client } = await serve(() => answer('one two'))
    const { chat } = heedOpenAI({ candidates: [{ client, model: 'm' }] })
    const open = () => chat.completions.create({ ...hello, stream: true })
    const textIn = async (stream: AsyncIterable<OpenAI.Chat.ChatCompletionChunk>) => {
      let text = ''
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
      return text
    }
    expect(await open()).toBeInstanceOf(Stream)
    expect(await Promise.all((await open()).tee().map(textIn))).toEqual(['one two', 'one two'])
    const sentOn = (await open()).toReadableStream()
    expect(await textIn(Stream.fromReadableStream(sentOn, new AbortController()))).toBe('one two')
  })

  test('its controller ends a stream and the request', async () => {
    const { server, client } = await serve(() => stallMidway({ afterTokens: 2 }))
    const { chat, health } = heedOpenAI({ candidates: [{ client, model: 'm' }] })
    const successes: number[] = []
    health.on('success', ({ delivered }) => successes.push(delivered ?? 0))
    const stream = await chat.completions.create({ ...hello, stream: true })
    let text = ''
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      if (text === textOf(2)) stream.controller.abort()
    }
    const request = await server.arrived(1)
    await request.over
    expect(request.left).toBe(true)
    expect(successes).toEqual([3])
  })
})

describe('whom it asks', () => {
  test('for the candidate’s model, and the body’s where the candidate names none', async () => {
    const [a, b] = [await serve(refused), await serve(() => answer('from b'))]
    const { chat } = heedOpenAI({
      candidates: [
        { client: a.client, provider: 'one' },
        { client: b.client, provider: 'two', model: 'own' },
      ],
    })
    await chat.completions.create({ ...hello, model: 'asked' })
    expect([a, b].map(({ server }) => server.requests.map(({ model }) => model))).toEqual([['asked'], ['own']])
  })

  test('with one credential after the other', async () => {
    const script: Script = ({ headers }) =>
      headers.authorization === 'Bearer sk-2' ? answer('from the second') : refuse(refusals.chat.authRequired)
    const { server, client } = await serve(script)
    const { chat, health } = heedOpenAI({
      candidates: [
        {
          client,
          model: 'm',
          credentials: [
            { id: 'key-1', apiKey: 'sk-1' },
            { id: 'key-2', apiKey: 'sk-2' },
          ],
        },
      ],
    })
    const prompts: (readonly string[])[] = []
    health.on('auth_prompt', ({ refused: ids }) => prompts.push(ids))
    const whole = await chat.completions.create(hello)
    expect(whole.choices[0]?.message.content).toBe('from the second')
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-1', 'Bearer sk-2'])
    expect(prompts).toEqual([['key-1']])
  })

  test('names candidates after host and model, their own or the body’s', async () => {
    const own = new OpenAI({ apiKey: 'sk' })
    const other = new OpenAI({ apiKey: 'sk', baseURL: 'https://llm.example:8443/v1' })
    const { chat, health } = heedOpenAI({ candidates: [{ client: own, model: 'm' }, { client: other }] })
    const asked: string[] = []
    health.on('attempt', ({ candidate, provider }) => asked.push(`${provider} ${candidate}`))
    for (const client of [own, other]) client.chat.completions.create = () => Promise.reject(refusal) as never
    await expect(chat.completions.create({ ...hello, model: 'x' })).rejects.toSatisfy(isHeedError)
    expect(asked).toEqual(['openai openai/m', 'llm.example:8443 llm.example:8443/x'])
  })
})

const refusal = Object.assign(new Error('404'), { class: 'permanent' })

describe('what a call says', () => {
  test('to the SDK is passed on, but its retries are heed’s', async () => {
    const { server, client } = await serve(inOrder(refuse(refusals.chat.transient)))
    const { chat } = heedOpenAI({ candidates: [{ client, model: 'm' }], attempts: { perTarget: 1 } })
    const options = { headers: { 'x-trace': 'abc' }, maxRetries: 5, heed: { inputTokens: 8 } }
    await expect(chat.completions.create(hello, options)).rejects.toMatchObject({ reason: 'attempts_spent' })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]?.headers['x-trace']).toBe('abc')
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ ...hello, model: 'm' })
  })

  test('to heed counts for that call alone', async () => {
    const { server, client } = await serve((_request, index) =>
      index % 2 === 0 ? resetBeforeHeaders : answer('served'),
    )
    const { chat } = heedOpenAI({ candidates: [{ client, model: 'm' }], backoff: () => 0 })
    await chat.completions.create(hello, { heed: { idempotent: true } })
    expect(server.requests).toHaveLength(2)
    await expect(chat.completions.create(hello)).rejects.toBeInstanceOf(OpenAI.APIConnectionError)
    expect(server.requests).toHaveLength(3)
  })

  test('may make the body smaller', async () => {
    const { client } = await serve((request) =>
      request.body.includes('long') ? refuse(refusals.chat.contextOverflow) : answer((asked) => asked.body),
    )
    const { chat } = heedOpenAI({ candidates: [{ client, model: 'm' }] })
    const whole = await chat.completions.create(
      { messages: [{ role: 'user', content: 'long' }] },
      { heed: { reduce: (body) => ({ ...body, messages: [{ role: 'user', content: 'short' }] }) } },
    )
    expect(whole.choices[0]?.message.content).toContain('short')
  })
})

describe('wrong options', () => {
  test('are refused with the path and the fix', () => {
    const client = new OpenAI({ apiKey: 'sk' })
    const wrong = (options: object) => () => heedOpenAI(options as never)
    expect(wrong({ candidates: [{ model: 'm' }] })).toThrow(/candidates\[0\]\.client: .*new OpenAI/)
    expect(wrong({ candidates: [{ client: {}, model: 'm' }] })).toThrow(/candidates\[0\]\.client/)
    expect(wrong({ candidates: [] })).toThrow(/candidates/)
    expect(wrong({})).toThrow(/candidates/)
    expect(wrong({ candidates: [{ client, model: 'm' }], attempts: { perTarget: 0 } })).toThrow(/attempts\.perTarget/)
    expect(wrong({ candidates: [{ client }, { client }] })).toThrow(/openai/)
    expect(heedOpenAI({ candidates: [{ client }], auth: surface }).auth.pending()).toEqual([])
  })
})
