import { Agent } from '@mastra/core/agent'
import { noopLogger } from '@mastra/core/logger'
import { type HeedModel, type HeedModelOptions, heedModel } from 'heed/integrations/ai-sdk'
import { candidateOf } from '../ai-sdk/driver.ts'
import type { Host, HostCandidate, HostDriver, HostOptions } from '../kit/host.ts'

type AgentSettings = ConstructorParameters<typeof Agent>[0]

/** An agent whose model is a chain. */
export function agentOf(model: HeedModel, settings: Partial<Pick<AgentSettings, 'tools' | 'maxRetries'>> = {}): Agent {
  // Mastra's types are of an earlier @ai-sdk/provider and refuse every current model, those of providers too.
  const agent = new Agent({ id: 'agent', name: 'agent', instructions: 'Be brief', model: model as never, ...settings })
  // What it would print of a failure, the consumer is told.
  agent.__setLogger(noopLogger)
  return agent
}

/** `generate` and `stream` of an agent. */
export const mastraDriver: HostDriver = {
  name: 'mastra',
  dialect: 'chat',
  start: (candidates, options) => hostOf(chainOf(candidates, options)),
  nest: (candidates, options) => {
    const middle = heedModel({ ...(options as HeedModelOptions), candidates: [chainOf(candidates, options)] })
    return hostOf(heedModel({ ...(options as HeedModelOptions), candidates: [middle] }))
  },
  differs: {
    'a malformed event first passes through': {
      why: 'the SDK says that it could not read an answer, which is ambiguous: an idempotent call is tried again',
      expect: { requests: [2, 0], text: 'from a', surface: undefined as never },
    },
  },
  cannot: {
    'a consumer that leaves ends the request': 'Mastra keeps its stream for other readers: who leaves it aborts',
    'a slow consumer holds the source back': 'Mastra reads a stream into its own buffer as fast as it comes',
  },
}

function hostOf(model: HeedModel): Host {
  const agent = agentOf(model, { maxRetries: 0 })
  return {
    health: model.health,
    auth: model.auth,
    unary: async ({ abortSignal, prompt = 'Hello' } = {}) => {
      const { text } = await agent.generate(prompt, abortSignal === undefined ? {} : { abortSignal })
      // An agent that is aborted answers what it has.
      abortSignal?.throwIfAborted()
      return text
    },
    stream: ({ abortSignal, prompt = 'Hello' } = {}) => readText(agent, prompt, abortSignal),
  }
}

async function* readText(agent: Agent, prompt: string, abortSignal?: AbortSignal): AsyncGenerator<string> {
  const { fullStream } = await agent.stream(prompt, abortSignal === undefined ? {} : { abortSignal })
  for await (const chunk of fullStream) {
    if (chunk.type === 'text-delta') yield chunk.payload.text
    else if (chunk.type === 'error') throw chunk.payload.error
    else if (chunk.type === 'abort') throw abortSignal?.reason
  }
}

function chainOf(candidates: readonly HostCandidate[], options: HostOptions): HeedModel {
  return heedModel({
    ...(options as HeedModelOptions),
    candidates: candidates.map((each) => candidateOf('chat', each)),
  })
}
