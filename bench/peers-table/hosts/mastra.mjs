// A Mastra agent: a candidate is a model of the AI SDK.
import { Agent } from '@mastra/core/agent'
import { noopLogger } from '@mastra/core/logger'
import { modelAt } from './ai-sdk.mjs'

export { modelAt }
export const title = 'Mastra agent'
export const dialect = 'openai'
export const packages = ['@mastra/core', '@ai-sdk/openai']

/** @param {any} model a model, or Mastra's own list of them @param {object} settings of the agent */
export const callerOf = (model, settings = {}) => {
  const agent = new Agent({ id: 'bench', name: 'bench', instructions: 'Answer.', model, ...settings })
  // What it would print of a failure, the consumer is told.
  agent.__setLogger(noopLogger)
  return {
    ask: async (abortSignal) => {
      const { text } = await agent.generate('Hello', { abortSignal })
      // An agent that is aborted answers what it has.
      abortSignal?.throwIfAborted()
      return text
    },
    stream: async function* (abortSignal) {
      const { fullStream } = await agent.stream('Hello', { abortSignal })
      for await (const chunk of fullStream) {
        if (chunk.type === 'text-delta') yield chunk.payload.text
        else if (chunk.type === 'error') throw chunk.payload.error
        else if (chunk.type === 'abort') throw abortSignal.reason
      }
    },
  }
}

export const bare = (candidate) => callerOf(modelAt(candidate), { maxRetries: 0 })
