import Anthropic from '@anthropic-ai/sdk'
import { heedMiddleware } from 'heed/integrations/anthropic'
import { expect, test } from 'vitest'

/** Answers at once with a body that says nothing until its request is aborted, and then breaks off. */
function stallingInBody() {
  const signals: (AbortSignal | null | undefined)[] = []
  const ask: typeof fetch = async (_url, init) => {
    signals.push(init?.signal)
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('half'))
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/plain' } })
  }
  return { signals, ask }
}

test.each([
  ['no limit', {}],
  ['a limit for attempts', { attemptTimeoutMs: 60_000 }],
  ['a limit for the call', { timeoutMs: 60_000 }],
])('a body that is read once the attempt has served hears the caller’s abort, with %s', async (_what, limits) => {
  const layers = [heedMiddleware(limits), heedMiddleware(limits)]
  const { signals, ask } = stallingInBody()
  const client = new Anthropic({ apiKey: 'sk-ant-kit', maxRetries: 0, fetch: ask, middleware: layers })
  const leaving = new AbortController()
  const response = await client.get('/v1/files/file_1/content', { signal: leaving.signal }).asResponse()
  const text = response.text()
  leaving.abort()
  expect(signals.map((signal) => signal?.aborted)).toEqual([true])
  await expect(text).rejects.toMatchObject({ name: 'AbortError' })
})
