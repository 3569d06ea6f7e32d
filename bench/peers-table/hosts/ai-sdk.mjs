// The AI SDK: a candidate is a language model.
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, streamText } from 'ai'

export const title = 'AI SDK'
export const dialect = 'openai'
export const packages = ['ai', '@ai-sdk/openai']

// What it says to developers of models is no part of a measurement.
globalThis.AI_SDK_LOG_WARNINGS = false

export const modelAt = ({ baseUrl, model, fetch }) =>
  createOpenAI({ apiKey: 'bench', baseURL: `${baseUrl}/v1`, fetch }).chat(model)

/** `generateText` and `streamText`; the SDK's own repeats are off but where they are the subject. */
export const callerOf = (model, { maxRetries = 0, ...streaming } = {}) => ({
  ask: async (abortSignal) => (await generateText({ model, prompt: 'Hello', maxRetries, abortSignal })).text,
  stream: async function* (abortSignal) {
    const onError = () => undefined
    const { fullStream } = streamText({ model, prompt: 'Hello', maxRetries, abortSignal, onError, ...streaming })
    for await (const part of fullStream) {
      if (part.type === 'text-delta') yield part.text
      else if (part.type === 'error') throw part.error
      else if (part.type === 'abort') throw abortSignal.reason
    }
  },
})

export const bare = (candidate) => callerOf(modelAt(candidate))
