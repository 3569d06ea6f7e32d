import { heedOpenAI } from 'heed/integrations/openai'
import OpenAI from 'openai'
import { afterEach, expect, test } from 'vitest'
import { type ProviderServer, startProvider } from '../kit/provider-server.ts'
import { refusals } from '../kit/refusals.ts'
import { answer, type Refusal, refuse } from '../kit/steps.ts'

let server: ProviderServer

afterEach(() => server.close())

/** A client whose server refuses some models. */
async function clientOf(refused: Readonly<Record<string, Refusal>>): Promise<OpenAI> {
  server = await startProvider(({ model }) => {
    const refusal = refused[model]
    return refusal === undefined ? answer('Hi') : refuse(refusal)
  })
  return new OpenAI({ apiKey: 'sk-own', baseURL: `${server.url}/v1`, logLevel: 'off' })
}

const limited: Refusal = { ...refusals.chat.transientWithHint, headers: { 'retry-after': '100' } }
const hello = { messages: [{ role: 'user' as const, content: 'Hello' }] }
const models = () => server.requests.map(({ model }) => model)

test('a rate limit counts for the model that a body asks for, in both APIs', async () => {
  const client = await clientOf({ 'gpt-5': limited })
  const { chat, responses, health } = heedOpenAI({ candidates: [{ client, id: 'own', provider: 'openai' }] })
  const ids: string[] = []
  health.on('attempt', ({ candidate, provider }) => ids.push(`${candidate} of ${provider}`))
  const tooLong = { reason: 'wait_too_long' }
  await expect(chat.completions.create({ ...hello, model: 'gpt-5' })).rejects.toMatchObject(tooLong)
  await chat.completions.create({ ...hello, model: 'gpt-5-mini' })
  await responses.create({ input: 'Hello', model: 'gpt-5-mini' })
  await expect(responses.create({ input: 'Hello', model: 'gpt-5' })).rejects.toMatchObject(tooLong)
  expect(models()).toEqual(['gpt-5', 'gpt-5-mini', 'gpt-5-mini'])
  expect(ids).toEqual(['own/gpt-5 of openai', 'own/gpt-5-mini of openai', 'own/gpt-5-mini of openai'])
})

test('a refused key is one for all models', async () => {
  const client = await clientOf({ 'gpt-5': refusals.chat.authRequired })
  const { chat, health, auth } = heedOpenAI({ candidates: [{ client }] })
  health.on('auth_prompt', ({ provider }) => auth.decline(provider))
  for (const model of ['gpt-5', 'gpt-5-mini']) {
    await expect(chat.completions.create({ ...hello, model })).rejects.toMatchObject({ class: 'auth_required' })
  }
  expect(models()).toEqual(['gpt-5'])
})

test('keys are listed for each model, and are not printed', async () => {
  const client = await clientOf({})
  const { chat, served } = heedOpenAI({
    candidates: [{ client, provider: 'openai', credentials: [{ id: 'key-1', apiKey: 'sk-1' }] }],
  })
  const by = served(await chat.completions.create({ ...hello, model: 'gpt-5' }))
  expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-1')
  expect(by?.candidate.client).toBe(client)
  expect(JSON.stringify(by?.candidate)).toBe('{"provider":"openai","id":"openai/gpt-5"}')
})

test('a fallback of the same client that is the model asked for is asked once', async () => {
  const client = await clientOf({ 'gpt-5': refusals.chat.permanent })
  const candidates = [
    { client, provider: 'openai' },
    { client, provider: 'openai', model: 'gpt-5' },
  ]
  const { chat } = heedOpenAI({ candidates })
  await expect(chat.completions.create({ ...hello, model: 'gpt-5' })).rejects.toMatchObject({ reason: 'all_permanent' })
  expect(models()).toEqual(['gpt-5'])
})

test('another client’s candidate of the same name is another: the one without a model keeps its own', async () => {
  const client = await clientOf({ 'gpt-5': refusals.chat.permanent })
  const other = client.withOptions({ apiKey: 'sk-other' })
  const candidates = [
    { client, provider: 'openai' },
    { client: other, provider: 'openai', model: 'gpt-5' },
  ]
  const { chat, health } = heedOpenAI({ candidates })
  const ids: string[] = []
  health.on('attempt', ({ candidate }) => ids.push(candidate))
  await expect(chat.completions.create({ ...hello, model: 'gpt-5' })).rejects.toMatchObject({ reason: 'all_permanent' })
  expect(ids).toEqual(['openai', 'openai/gpt-5'])
})

test('what a model was told outlives its guard, however many models are asked for', async () => {
  const client = await clientOf({ 'gpt-5': limited })
  const { chat } = heedOpenAI({ candidates: [{ client }] })
  const ask = (model: string) => chat.completions.create({ ...hello, model })
  await expect(ask('gpt-5')).rejects.toMatchObject({ reason: 'wait_too_long' })
  for (let each = 0; each < 101; each += 1) await ask(`ft-${each}`)
  await expect(ask('gpt-5')).rejects.toMatchObject({ reason: 'wait_too_long' })
  expect(models().filter((model) => model === 'gpt-5')).toHaveLength(1)
})

test('a name that can be none is the server’s to refuse', async () => {
  const client = await clientOf({})
  const { chat, served } = heedOpenAI({ candidates: [{ client, provider: 'openai' }] })
  for (const model of ['', 'gpt-\ud800', undefined]) {
    const completion = await chat.completions.create({ ...hello, model })
    expect(served(completion)?.candidate.id).toBe('openai')
  }
})
