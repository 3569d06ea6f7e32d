// LangChain without an agent: a candidate is a chat model, which is a Runnable.
import { ChatOpenAI } from '@langchain/openai'

export const title = 'LangChain model'
export const dialect = 'openai'
export const packages = ['@langchain/core', '@langchain/openai']

/** Its own six repeats are off, as its documentation of fallbacks asks. */
export const modelAt = ({ baseUrl, model, fetch }) =>
  new ChatOpenAI({ model, apiKey: 'bench', maxRetries: 0, configuration: { baseURL: `${baseUrl}/v1`, fetch } })

export const callerOf = (runnable) => ({
  ask: async (signal) => (await runnable.invoke('Hello', { signal })).content,
  stream: async function* (signal) {
    for await (const chunk of await runnable.stream('Hello', { signal })) yield chunk.content
  },
})

export const bare = (candidate) => callerOf(modelAt(candidate))
