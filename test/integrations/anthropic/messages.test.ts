import Anthropic from '@anthropic-ai/sdk'
import { heedAnthropic } from 'heed/integrations/anthropic'
import type { Host, HostCall, HostCandidate, HostOptions } from '../kit/host.ts'
import { describeHost } from '../kit/host-suite.ts'

type Chain = ReturnType<typeof heedAnthropic>

describeHost({
  name: 'Anthropic messages',
  dialect: 'messages',
  start: (candidates, options) => host(chainOf(candidates, options)),
  nest: ([candidate], options) => {
    const { baseUrl, ...named } = candidate as HostCandidate
    let chain = chainOf([candidate as HostCandidate], options)
    for (let layer = 2; layer <= 3; layer += 1) {
      const client = Object.assign(clientAt(baseUrl), { messages: chain.messages })
      chain = heedAnthropic({ ...options, candidates: [{ ...named, client }] })
    }
    return host(chain)
  },
})

function chainOf(candidates: readonly HostCandidate[], options: HostOptions): Chain {
  return heedAnthropic({
    ...options,
    candidates: candidates.map(({ baseUrl, ...candidate }) => ({ ...candidate, client: clientAt(baseUrl) })),
  })
}

// The SDK's own retries are left on: heed has to switch them off.
function clientAt(baseUrl: string): Anthropic {
  return new Anthropic({ apiKey: 'sk-ant-kit', baseURL: baseUrl, logLevel: 'off' })
}

const body = (prompt = 'Hello') => ({ max_tokens: 1_024, messages: [{ role: 'user' as const, content: prompt }] })

function host({ messages, health, auth }: Chain): Host {
  return {
    unary: async ({ prompt, abortSignal } = {}) => {
      const answer = await messages.create(body(prompt), { signal: abortSignal })
      return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
    async *stream({ prompt, abortSignal }: HostCall = {}) {
      const events = await messages.create({ ...body(prompt), stream: true }, { signal: abortSignal })
      for await (const event of events) {
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') yield event.delta.text
      }
    },
    health,
    auth,
  }
}
