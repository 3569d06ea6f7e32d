// The OpenAI Agents SDK: a candidate is a model of its own, over a client.
import { Agent, Runner } from '@openai/agents-core'
import { OpenAIChatCompletionsModel } from '@openai/agents-openai'
import { clientOf } from './openai.mjs'

export const title = 'OpenAI Agents'
export const dialect = 'openai'
export const packages = ['@openai/agents-core', '@openai/agents-openai', 'openai']

const runner = new Runner({ tracingDisabled: true })

export const modelAt = (candidate) => new OpenAIChatCompletionsModel(clientOf(candidate), candidate.model)

export const callerOf = (model, modelSettings = {}) => {
  const agent = new Agent({ name: 'Bench', instructions: 'Answer.', model, modelSettings })
  return {
    ask: async (signal) => (await runner.run(agent, 'Hello', { signal })).finalOutput,
    stream: async function* (signal) {
      const result = await runner.run(agent, 'Hello', { stream: true, signal })
      for await (const event of result) {
        if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') yield event.data.delta
      }
      await result.completed
    },
  }
}

export const bare = (candidate) => callerOf(modelAt(candidate))
