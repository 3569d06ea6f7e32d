import { heedOpenAI } from 'heed/integrations/openai'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startProvider } from '../kit/provider-server.ts'
import { stallMidway } from '../kit/steps.ts'

test.each([
  ['no limit', {}],
  ['a limit for attempts', { attemptTimeoutMs: 60_000 }],
  ['a limit for the call', { timeoutMs: 60_000 }],
])('the caller’s abort ends a stream that has begun, and its request, with %s', async (_what, limits) => {
  const server = await startProvider(() => stallMidway({ afterTokens: 1 }))
  try {
    const client = new OpenAI({ apiKey: 'sk-own', baseURL: `${server.url}/v1`, logLevel: 'off' })
    const { chat } = heedOpenAI({ candidates: [{ client, model: 'm' }], ...limits })
    const leaving = new AbortController()
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    const stream = await chat.completions.create({ messages, stream: true }, { signal: leaving.signal })
    const reading = (async () => {
      for await (const _ of stream) leaving.abort()
    })()
    await reading.catch(() => undefined)
    const request = await server.arrived(1)
    await request.over
    expect(request.left).toBe(true)
  } finally {
    await server.close()
  }
})
