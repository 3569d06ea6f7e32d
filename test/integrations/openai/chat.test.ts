import type { Host, HostCall } from '../kit/host.ts'
import { describeHost } from '../kit/host-suite.ts'
import { type Chain, chainOf, hostOf, nestedChain } from './chain.ts'

const host = (chain: Chain): Host => hostOf(chain, unary, stream)

describeHost({
  name: 'OpenAI chat completions',
  dialect: 'chat',
  start: (candidates, options) => host(chainOf(candidates, options)),
  nest: (candidates, options) => host(nestedChain(candidates, options)),
})

async function unary({ chat }: Chain, { prompt = 'Hello', abortSignal }: HostCall): Promise<string> {
  const answer = await chat.completions.create(
    { messages: [{ role: 'user', content: prompt }] },
    { signal: abortSignal },
  )
  return answer.choices[0]?.message.content ?? ''
}

async function* stream({ chat }: Chain, { prompt = 'Hello', abortSignal }: HostCall): AsyncGenerator<string> {
  const chunks = await chat.completions.create(
    { messages: [{ role: 'user', content: prompt }], stream: true },
    { signal: abortSignal },
  )
  for await (const chunk of chunks) {
    const text = chunk.choices[0]?.delta.content
    if (text) yield text
  }
}
