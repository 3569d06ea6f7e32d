import { Command, MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { type AuthInterrupt, type HeedModelsOptions, heedModels } from 'heed/integrations/langchain'
import { createAgent } from 'langchain'
import { startProvider } from '../kit/provider-server.ts'
import { refusals } from '../kit/refusals.ts'
import { answer, refuse } from '../kit/steps.ts'
import { HELLO } from './scene.ts'

/** Two providers, each of which takes one key; and an agent that has to be told of them. */
export async function withKeys(
  good: { a: string; b: string },
  play: (
    made: (options?: HeedModelsOptions, saver?: MemorySaver) => Desk,
    counts: () => readonly [number, number],
  ) => Promise<void>,
): Promise<void> {
  const open = (of: 'a' | 'b') => async () =>
    startProvider((request) =>
      request.headers.authorization === `Bearer ${good[of]}`
        ? answer(`from ${of}`)
        : refuse(refusals.chat.authRequired),
    )
  const [a, b] = [await open('a')(), await open('b')()]
  const keys = { a: 'old', b: 'old' }
  const model = (of: 'a' | 'b', url: string) =>
    new ChatOpenAI({ model: of, apiKey: async () => keys[of], maxRetries: 0, configuration: { baseURL: `${url}/v1` } })
  try {
    const made = (options: HeedModelsOptions = {}, checkpointer = new MemorySaver()): Desk => {
      const middleware = heedModels({
        onAuthRequired: 'interrupt',
        primary: { id: 'a', provider: 'one' },
        fallbacks: [{ id: 'b', provider: 'two', model: model('b', b.url) }],
        ...options,
      })
      const agent = createAgent({
        model: model('a', a.url),
        tools: [],
        middleware: [middleware],
        checkpointer,
      })
      return {
        middleware,
        keys,
        ask: (thread, input = HELLO) =>
          agent.invoke(input as typeof HELLO, { configurable: { thread_id: thread } }) as never,
      }
    }
    await play(made, () => [a.requests.length, b.requests.length])
  } finally {
    await Promise.all([a.close(), b.close()])
  }
}

export interface Desk {
  readonly middleware: ReturnType<typeof heedModels>
  readonly keys: { a: string; b: string }
  ask(thread: string, input?: unknown): Promise<Answer>
}

export interface Answer {
  readonly messages: readonly { readonly content: unknown }[]
  readonly __interrupt__?: readonly { readonly value: AuthInterrupt }[]
}

/** What the agent said last. */
export const textOf = ({ messages }: Answer): unknown => messages.at(-1)?.content
/** What the graph was interrupted with. */
export const askedFor = ({ __interrupt__ }: Answer): readonly AuthInterrupt[] | undefined =>
  __interrupt__?.map(({ value }) => value)
/** Resumes a graph. */
export const again = (resume: unknown): Command => new Command({ resume })
