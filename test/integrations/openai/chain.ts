import { heedOpenAI } from 'heed/integrations/openai'
import OpenAI from 'openai'
import type { Host, HostCall, HostCandidate, HostOptions } from '../kit/host.ts'

/** A chain of the SDK's clients. */
export type Chain = ReturnType<typeof heedOpenAI>

/** A client of its own for each candidate of the table. */
export function chainOf(candidates: readonly HostCandidate[], options: HostOptions): Chain {
  return heedOpenAI({
    ...options,
    candidates: candidates.map(({ baseUrl, ...candidate }) => ({ ...candidate, client: clientAt(baseUrl) })),
  })
}

/** Three chains, each the client of the next: what people get who wrap a client that is wrapped already. */
export function nestedChain([candidate]: readonly HostCandidate[], options: HostOptions): Chain {
  const { baseUrl, ...named } = candidate as HostCandidate
  let chain = chainOf([candidate as HostCandidate], options)
  for (let layer = 2; layer <= 3; layer += 1) {
    const client = Object.assign(clientAt(baseUrl), { chat: chain.chat, responses: chain.responses })
    chain = heedOpenAI({ ...options, candidates: [{ ...named, client }] })
  }
  return chain
}

// The SDK's own retries are left on: heed has to switch them off.
const clientAt = (baseUrl: string): OpenAI =>
  new OpenAI({ apiKey: 'sk-kit', baseURL: `${baseUrl}/v1`, logLevel: 'off' })

/** The host that a chain is, by one of its APIs. */
export function hostOf(
  chain: Chain,
  unary: (chain: Chain, call: HostCall) => Promise<string>,
  stream: (chain: Chain, call: HostCall) => AsyncIterable<string>,
): Host {
  return {
    unary: (call = {}) => unary(chain, call),
    stream: (call = {}) => stream(chain, call),
    health: chain.health,
    auth: chain.auth,
  }
}
