import { ChatOpenAI } from '@langchain/openai'
import type { AnyRunnable } from 'heed/integrations/langchain'
import { heedModels, heedRunnable } from 'heed/integrations/langchain'
import { createAgent } from 'langchain'
import type { Host, HostCall, HostCandidate, HostDriver, HostOptions } from '../kit/host.ts'

type Made = (candidate: HostCandidate) => ChatOpenAI

/** A model of a candidate's, as a user makes one. */
export function chatOpenAI(fields: ConstructorParameters<typeof ChatOpenAI>[0] = {}): Made {
  return ({ model, baseUrl }) =>
    new ChatOpenAI({ model, apiKey: 'k', maxRetries: 0, configuration: { baseURL: `${baseUrl}/v1` }, ...fields })
}

export const chat = chatOpenAI()
export const responses = chatOpenAI({ useResponsesApi: true })

/** A chain of models that is a Runnable. */
export function runnableHost(made: Made): HostDriver['start'] {
  return (candidates, options) => {
    const model = heedRunnable({ ...options, candidates: candidates.map((each) => ({ ...each, model: made(each) })) })
    return hostOf(model, model)
  }
}

/** A chain whose candidates are chains whose candidates are chains. */
export function nestedRunnable(made: Made): HostDriver['start'] {
  return (candidates, options) => {
    const [inner, middle, outer] = [0, 1, 2].map(() => options)
    const chain: readonly { readonly id: string; readonly provider: string; readonly model: AnyRunnable }[] =
      candidates.map((each) => ({ ...each, model: made(each) }))
    const first = heedRunnable({ ...inner, candidates: chain })
    const second = heedRunnable({ ...middle, candidates: [{ id: 'first', provider: 'first', model: first }] })
    const third = heedRunnable({ ...outer, candidates: [{ id: 'second', provider: 'second', model: second }] })
    return { ...hostOf(third, third), health: first.health }
  }
}

function hostOf(model: ReturnType<typeof heedRunnable>, { health, auth }: Pick<Host, 'health' | 'auth'>): Host {
  return {
    health,
    auth,
    unary: async (call) => textOf((await model.invoke(promptOf(call), configOf(call))).content),
    stream: async function* (call) {
      for await (const chunk of await model.stream(promptOf(call), configOf(call))) yield textOf(chunk.content)
    },
  }
}

/** An agent whose model calls go through the middleware; its stream is what a UI is shown. */
export function agentHost(made: Made): HostDriver['start'] {
  return ([first, ...rest], options) =>
    agentWith([heedModelsOf([first as HostCandidate, ...rest], options, made)], made(first as HostCandidate))
}

/** Three times the middleware around one model call. */
export function nestedAgent(made: Made): HostDriver['start'] {
  return ([first, ...rest], options) => {
    const own = first as HostCandidate
    // Two middlewares of one name are refused by the agent.
    const outer = ['outer', 'middle'].map((name) => ({
      ...heedModels({ ...options, primary: { id: 'inner', provider: 'inner' } }),
      name,
    }))
    return agentWith([...outer, heedModelsOf([own, ...rest], options, made)], made(own))
  }
}

function heedModelsOf(
  [first, ...rest]: readonly HostCandidate[],
  options: HostOptions,
  made: Made,
): ReturnType<typeof heedModels> {
  const { id, provider, contextWindow } = first as HostCandidate
  return heedModels({
    ...options,
    primary: { id, provider, contextWindow },
    fallbacks: rest.map((each) => ({ ...each, model: made(each) })),
  })
}

function agentWith(middleware: readonly ReturnType<typeof heedModels>[], model: ChatOpenAI): Host {
  const agent = createAgent({ model, tools: [], middleware: [...middleware] })
  const { health, auth } = middleware.at(-1) as ReturnType<typeof heedModels>
  const inputOf = (call?: HostCall) => ({ messages: [{ role: 'user' as const, content: promptOf(call) }] })
  return {
    health,
    auth,
    unary: async (call) => textOf((await agent.invoke(inputOf(call), configOf(call))).messages.at(-1)?.content),
    stream: async function* (call) {
      for await (const [chunk] of await agent.stream(inputOf(call), { ...configOf(call), streamMode: 'messages' })) {
        yield textOf(chunk.content)
      }
    },
  }
}

const promptOf = (call?: HostCall): string => call?.prompt ?? 'Hello'

const configOf = (call?: HostCall): { signal?: AbortSignal } => (call?.abortSignal ? { signal: call.abortSignal } : {})

/** The text of a message's content, whichever form an API's answers have. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((block: { text?: string }) => block.text ?? '').join('') : ''
}
