import { generateText, streamText } from 'ai'
import { isHeedError } from 'heed'
import { heedModel } from 'heed/integrations/ai-sdk'
import { afterEach, describe, expect, test } from 'vitest'
import { type ProviderServer, startProvider } from '../kit/provider-server.ts'
import { refusals } from '../kit/refusals.ts'
import { answer, refuse } from '../kit/steps.ts'
import { modelAt } from './driver.ts'

const servers: ProviderServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const down = refuse(refusals.chat.transient)

async function server(step: Parameters<typeof startProvider>[0]): Promise<ProviderServer> {
  const started = await startProvider(step)
  servers.push(started)
  return started
}

const promptIn = (body: string): string => JSON.parse(body).messages.at(-1).content.at(-1).text ?? ''
const chat = ({ url }: ProviderServer, model: string) => modelAt('chat', { baseUrl: url, model })

describe('200 calls at once on one model object while the first provider is down', () => {
  // The peers that share what a call has learnt lose most of these calls: 49 of 50, 25 of 50.
  test.each(['generateText', 'streamText'])('%s: all are served, each with its own answer and account', async (how) => {
    const primary = await server(() => down)
    const echo = (body: string): string => /call-\d+/.exec(body)?.[0] ?? 'none'
    const fallback = await server(() => answer(({ body }) => echo(body)))
    const model = heedModel({
      candidates: [
        { model: chat(primary, 'busy'), id: 'primary', provider: 'one' },
        { model: chat(fallback, 'well'), id: 'fallback', provider: 'two' },
      ],
      backoff: () => 0,
    })
    const attempts = new Map<string, string[]>()
    model.health.on('attempt', ({ callId, candidate }) => {
      attempts.set(callId, [...(attempts.get(callId) ?? []), candidate])
    })
    const results = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const options = { model, prompt: `call-${at}`, maxRetries: 0 }
        const result = how === 'generateText' ? await generateText(options) : streamText(options)
        return {
          text: await result.text,
          metadata: (await result.providerMetadata)?.['heed'],
          modelId: (await result.response).modelId,
        }
      }),
    )
    expect(results.map(({ text }) => text)).toEqual(results.map((_, at) => `call-${at}`))
    expect(new Set(results.map(({ modelId }) => modelId))).toEqual(new Set(['well']))
    const counts = results.map(({ metadata }) => {
      expect(metadata).toMatchObject({ candidate: 'fallback', provider: 'two' })
      return Number(metadata?.['attempts'])
    })
    const told = [...attempts.values()].map((each) => each.length)
    expect(counts.toSorted((a, b) => a - b)).toEqual(told.toSorted((a, b) => a - b))
    expect([...attempts.values()].every((each) => each.at(-1) === 'fallback')).toBe(true)
    expect(primary.requests.length + fallback.requests.length).toBe(told.reduce((sum, count) => sum + count, 0))
  })
})

describe('three heeds in each other over a dead provider', () => {
  const nested = async () => {
    const dead = await server(() => down)
    const settings = { attempts: { perTarget: 3 }, backoff: () => 0 }
    const inner = heedModel({ ...settings, candidates: [chat(dead, 'dead')] })
    const middle = heedModel({ ...settings, candidates: [inner] })
    return { dead, outer: heedModel({ ...settings, candidates: [middle] }) }
  }

  test('make the three requests of one of them', async () => {
    const { dead, outer } = await nested()
    const error = await generateText({ model: outer, prompt: 'Hi', maxRetries: 0 }).then(undefined, (thrown) => thrown)
    expect(dead.requests).toHaveLength(3)
    expect(isHeedError(error) && error.exhausted && error.class).toBe('transient')
  })

  test('and no more of a stream, nor where the retries of the SDK were left on', async () => {
    const { dead, outer } = await nested()
    const result = streamText({ model: outer, prompt: 'Hi', onError: () => undefined })
    await expect(result.text.then(undefined, () => 'failed')).resolves.toBe('failed')
    expect(dead.requests).toHaveLength(3)
  })
})

test('the account of a heed below stands below', async () => {
  const well = await server(() => answer('fine'))
  const inner = heedModel({ candidates: [chat(well, 'well')] })
  const { providerMetadata } = await generateText({
    model: heedModel({ candidates: [{ id: 'chain', provider: 'all', model: inner }] }),
    prompt: 'Hi',
    maxRetries: 0,
  })
  expect(providerMetadata?.['heed']).toEqual({
    candidate: 'chain',
    provider: 'all',
    attempts: 1,
    below: { candidate: 'openai.chat/well', provider: 'openai', attempts: 1 },
  })
})

test('what the SDK gives reaches the provider as it is', async () => {
  const well = await server(() => answer(({ body }) => promptIn(body)))
  await generateText({
    model: heedModel({ candidates: [chat(well, 'well')] }),
    prompt: 'Hi',
    maxRetries: 0,
    temperature: 0.5,
    headers: { 'x-trace': 'abc' },
  })
  expect(well.requests[0]?.headers['x-trace']).toBe('abc')
  expect(JSON.parse(well.requests[0]?.body ?? '')).toMatchObject({ model: 'well', temperature: 0.5 })
})
