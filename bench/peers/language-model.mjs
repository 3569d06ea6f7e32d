import { APICallError } from '@ai-sdk/provider'

/** A language model of the AI SDK that does nothing by itself, for the peers that wrap one. */
export const languageModel = (provider, { generate, stream }) => ({
  specificationVersion: 'v4',
  provider,
  modelId: 'model',
  supportedUrls: {},
  doGenerate: generate,
  doStream: async () => ({ stream: stream() }),
})

/** The error that those peers recognise; it carries the contract's class too. */
export const apiCallError = (errorClass, statusCode) =>
  Object.assign(
    new APICallError({
      message: 'overloaded',
      url: 'http://127.0.0.1/',
      requestBodyValues: {},
      statusCode,
      isRetryable: errorClass === 'transient',
    }),
    { class: errorClass },
  )

export const prompt = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] }
