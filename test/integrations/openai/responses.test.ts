import type { Host, HostCall } from '../kit/host.ts'
import { describeHost } from '../kit/host-suite.ts'
import { type Chain, chainOf, hostOf, nestedChain } from './chain.ts'

const host = (chain: Chain): Host => hostOf(chain, unary, stream)

describeHost({
  name: 'OpenAI responses',
  dialect: 'responses',
  start: (candidates, options) => host(chainOf(candidates, options)),
  nest: (candidates, options) => host(nestedChain(candidates, options)),
})

async function unary({ responses }: Chain, { prompt = 'Hello', abortSignal }: HostCall): Promise<string> {
  const answer = await responses.create({ input: prompt }, { signal: abortSignal })
  return answer.output_text
}

async function* stream({ responses }: Chain, { prompt = 'Hello', abortSignal }: HostCall): AsyncGenerator<string> {
  const events = await responses.create({ input: prompt, stream: true }, { signal: abortSignal })
  for await (const event of events) {
    if (event.type === 'response.output_text.delta') yield event.delta
    // Older releases of the SDK hand on as an event what newer ones throw.
    if (event.type === 'error') throw new Error(event.message)
  }
}
