import Anthropic from '@anthropic-ai/sdk'
import { type HeedMiddlewareOptions, heedMiddleware } from 'heed/integrations/anthropic'
import { afterEach, describe, expect, test } from 'vitest'
import { inOrder, type ProviderServer, type Script, startProvider } from '../kit/provider-server.ts'
import { refusals } from '../kit/refusals.ts'
import { answer, errorEvent, refuse, resetBeforeHeaders, stallBeforeHeaders } from '../kit/steps.ts'

let server: ProviderServer

afterEach(() => server.close())

type ClientOptions = ConstructorParameters<typeof Anthropic>[0]

async function clientOf(script: Script, options: ClientOptions = { maxRetries: 0 }): Promise<Anthropic> {
  server = await startProvider(script)
  return new Anthropic({ apiKey: 'sk-ant-own', baseURL: server.url, logLevel: 'off', ...options })
}

const heeding = (options: HeedMiddlewareOptions = {}) => ({
  middleware: [heedMiddleware({ backoff: () => 0, ...options })],
})
const hello = { model: 'claude', max_tokens: 64, messages: [{ role: 'user' as const, content: 'Hello' }] }

test('the SDK’s own streaming helper is served through a retry', async () => {
  const client = await clientOf(inOrder(errorEvent(refusals.messages.transientInStream), answer('one two')), {
    maxRetries: 0,
    ...heeding(),
  })
  const texts: string[] = []
  const stream = client.messages.stream(hello).on('text', (text) => texts.push(text))
  expect(await stream.finalText()).toBe('one two')
  expect(texts).toEqual(['one ', 'two'])
  expect(server.requests).toHaveLength(2)
})

test('one request may have a middleware that the client has not', async () => {
  const client = await clientOf(inOrder(refuse(refusals.messages.transient), answer('served')))
  const message = await client.messages.create(hello, heeding())
  expect(message.content).toMatchObject([{ text: 'served' }])
  expect(server.requests).toHaveLength(2)
})

test('a request goes to the next model of the same client', async () => {
  const client = await clientOf(({ model }) =>
    model === 'claude' ? refuse(refusals.messages.permanent) : answer('ok'),
  )
  const middleware = heedMiddleware({ candidates: [{}, { model: 'claude-other' }] })
  const served: string[] = []
  middleware.health.on('success', ({ candidate }) => served.push(candidate))
  await client.messages.create(hello, { middleware: [middleware] })
  expect(server.requests.map(({ model }) => model)).toEqual(['claude', 'claude-other'])
  expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual({ ...hello, model: 'claude-other' })
  expect(served).toEqual(['anthropic/claude-other'])
})

test('what surfaces is heed’s error, with the SDK’s own as its cause', async () => {
  const client = await clientOf(inOrder(refuse(refusals.messages.permanent)))
  const error = await client.messages.create(hello, heeding()).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ reason: 'all_permanent', class: 'permanent' })
  const { cause } = error as { readonly cause: unknown }
  expect(cause).toBeInstanceOf(Anthropic.NotFoundError)
  expect(cause).toMatchObject({ status: 404, error: refusals.messages.permanent.body })
})

describe('where the SDK retries too', () => {
  const fix = /new Anthropic\(\{ maxRetries: 0/

  test('a request that asks for it is refused before it is sent', async () => {
    const client = await clientOf(() => answer('never'))
    await expect(client.messages.create(hello, { maxRetries: 1, ...heeding() })).rejects.toThrow(fix)
    expect(server.requests).toHaveLength(0)
  })

  test('a client that does it gets no further than what heed has sent', async () => {
    const client = await clientOf(inOrder(resetBeforeHeaders), heeding())
    await expect(client.messages.create(hello)).rejects.toThrow(fix)
    expect(server.requests).toHaveLength(1)
  })

  test.each([false, true])('what it would have repeated is told, streamed: %s', async (stream) => {
    const client = await clientOf(inOrder(resetBeforeHeaders), heeding())
    const error = await client.messages.create({ ...hello, stream }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ cause: { errors: [{ message: 'fetch failed', cause: { code: 'ECONNRESET' } }] } })
    expect(server.requests).toHaveLength(1)
  })

  test('a timeout of heed’s is told too, at once and with nothing sent again', async () => {
    const client = await clientOf(inOrder(stallBeforeHeaders), heeding({ attemptTimeoutMs: 20 }))
    const error = await client.messages.create(hello).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ cause: { errors: [{ reason: 'attempt_timeout' }] } })
    expect(server.requests).toHaveLength(1)
  })
})
