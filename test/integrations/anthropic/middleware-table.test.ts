import Anthropic from '@anthropic-ai/sdk'
import { heedMiddleware } from 'heed/integrations/anthropic'
import type { Host, HostCall, HostCandidate, HostOptions } from '../kit/host.ts'
import { describeHost } from '../kit/host-suite.ts'

const ownAbortError = 'the SDK makes an APIUserAbortError of whatever a middleware throws once the signal has aborted'

const why = 'the SDK takes every error whose text speaks of a timeout for one of its own'
const ownTimeout = { why, expect: { ownError: true } } as const

describeHost({
  name: 'Anthropic middleware',
  dialect: 'messages',
  ownAbortError,
  differs: {
    'a stall before the headers is ambiguous, unary': ownTimeout,
    'a stall before the headers is ambiguous, stream': ownTimeout,
  },
  start,
  nest: (candidates, options) => start(candidates, options, 3),
})

/** One client whose models live at two servers, as the table's candidates do. */
function start(candidates: readonly HostCandidate[], options: HostOptions, layers = 1): Host {
  const middleware = Array.from({ length: layers }, () =>
    heedMiddleware({ ...options, candidates: candidates.map(({ baseUrl: _, ...candidate }) => candidate) }),
  )
  const client = new Anthropic({
    apiKey: 'sk-ant-kit',
    baseURL: candidates[0]?.baseUrl as string,
    maxRetries: 0,
    logLevel: 'off',
    middleware,
    fetch: (url, init) => {
      const { model } = JSON.parse(String(init?.body)) as { readonly model: string }
      const candidate = candidates.find((each) => each.model === model) as HostCandidate
      return fetch(`${candidate.baseUrl}${new URL(String(url)).pathname}`, init)
    },
  })
  const body = (prompt = 'Hello') => ({
    model: 'as the candidates say',
    max_tokens: 1_024,
    messages: [{ role: 'user' as const, content: prompt }],
  })
  const [outermost] = middleware as [ReturnType<typeof heedMiddleware>]
  return {
    unary: async ({ prompt, abortSignal }: HostCall = {}) => {
      const answer = await client.messages.create(body(prompt), { signal: abortSignal })
      return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
    async *stream({ prompt, abortSignal }: HostCall = {}) {
      const events = await client.messages.create({ ...body(prompt), stream: true }, { signal: abortSignal })
      for await (const event of events) {
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') yield event.delta.text
      }
      // The SDK ends an aborted stream without a word; who aborts has to ask.
      abortSignal?.throwIfAborted()
    },
    health: outermost.health,
    auth: outermost.auth,
  }
}
