// A LangChain agent: what retries and falls back is middleware. Its stream is what a user interface is shown.
import { createAgent } from 'langchain'
import { modelAt } from './langchain.mjs'

export { modelAt }
export const title = 'LangChain agent'
export const dialect = 'openai'
export const packages = ['langchain', '@langchain/core', '@langchain/openai']

const input = { messages: [{ role: 'user', content: 'Hello' }] }

export const callerOf = (model, middleware) => {
  const agent = createAgent({ model, tools: [], middleware })
  return {
    ask: async (signal) => (await agent.invoke(input, { signal })).messages.at(-1).content,
    stream: async function* (signal) {
      for await (const [chunk] of await agent.stream(input, { signal, streamMode: 'messages' })) yield chunk.content
    },
  }
}

export const bare = (candidate) => callerOf(modelAt(candidate), [])
