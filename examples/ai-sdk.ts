/**
 * The AI SDK: a chain of models is a model, for everything that takes one. Each result says who served it.
 */
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, streamText, wrapLanguageModel } from 'ai'
import { heedMiddleware, heedModel } from 'heed/integrations/ai-sdk'
import { startFleet } from '../demo/fleet/fleet.mjs'
import { always, inOrder } from '../demo/fleet/scripts.mjs'
import { answer, failInStream, refuse } from '../demo/fleet/steps.mjs'

// Two providers on loopback ports. The first fails once inside a stream, answers, and is then out of credit.
const broken = { error: { message: 'The server had an error', type: 'server_error', code: 'server_error' } }
const quota = { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' }
const spent = refuse({ status: 429, headers: {}, body: { error: quota } })
const script = inOrder(failInStream(broken), answer('Hello from gpt-5'), spent)
const { candidates, requests, close } = await startFleet([
  { provider: 'openai', model: 'gpt-5', dialect: 'openai', script },
  { provider: 'groq', model: 'llama', dialect: 'openai', script: always(answer('Hello from llama')) },
])

const models = candidates.map(({ id, provider, model, baseUrl }) => {
  return { id, provider, model: createOpenAI({ apiKey: 'yours', baseURL: `${baseUrl}/v1` }).chat(model) }
})
const model = heedModel({ candidates: models, backoff: () => 0 }) // for the example only: the default waits
model.health.on('retry', ({ candidate, reason }) => console.log(`${candidate} again: ${reason}`))
model.health.on('advance', ({ from, candidate, reason }) => console.log(`${from} -> ${candidate}: ${reason}`))

// The error comes inside the stream, before any content: it is tried again, and one preamble is seen.
const { textStream } = streamText({ model, prompt: 'Hello', maxRetries: 0 })
for await (const text of textStream) console.log(text)
// => openai/gpt-5 again: backoff
// => Hello
// => from
// => gpt-5

const { text, response, providerMetadata } = await generateText({ model, prompt: 'Hello', maxRetries: 0 })
console.log(text, response.modelId, providerMetadata?.['heed'])
// => openai/gpt-5 -> groq/llama: permanent
// => Hello from llama llama { candidate: 'groq/llama', provider: 'groq', attempts: 2 }

// One model alone: a middleware.
for (const { model } of models.slice(1)) {
  const wrapped = wrapLanguageModel({ model, middleware: heedMiddleware() })
  console.log((await generateText({ model: wrapped, prompt: 'Hello', maxRetries: 0 })).text) // => Hello from llama
}
console.log(`${requests().length} requests`) // => 5 requests
await close()
