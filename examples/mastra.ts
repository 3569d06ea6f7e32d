/**
 * Mastra: a chain of models is an agent's model. What the first model said stays; nothing is said twice.
 */
import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { noopLogger } from '@mastra/core/logger'
import { heedModel } from 'heed/integrations/ai-sdk'
import { startFleet } from '../demo/fleet/fleet.mjs'
import { always, inOrder } from '../demo/fleet/scripts.mjs'
import { answer, failInStream } from '../demo/fleet/steps.mjs'

// Two providers on loopback ports. The first fails inside its streams: before any content, then after two words.
const error = {
  error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' },
}
const script = inOrder(failInStream(error), failInStream(error, { text: 'Hello from gpt', afterTokens: 2 }))
const { candidates, requests, close } = await startFleet([
  { provider: 'openai', model: 'gpt-5', dialect: 'openai', script },
  { provider: 'groq', model: 'llama', dialect: 'openai', script: always(answer('Hello from llama')) },
])

const model = heedModel({
  candidates: candidates.map(({ id, provider, model, baseUrl }) => {
    return { id, provider, model: createOpenAI({ apiKey: 'yours', baseURL: `${baseUrl}/v1` }).chat(model) }
  }),
})
// The types of Mastra 1 are of an earlier specification's patch and refuse every current model: hence the cast.
const agent = new Agent({
  id: 'greeter',
  name: 'Greeter',
  instructions: 'Greet.',
  model: model as never,
  maxRetries: 0,
})
agent.__setLogger(noopLogger)

for (const _ of [1, 2]) {
  const { fullStream } = await agent.stream('Hello')
  for await (const chunk of fullStream) {
    if (chunk.type === 'text-delta') console.log(chunk.payload.text)
    if (chunk.type === 'error') console.log('error after content: nobody else is asked')
    if (chunk.type === 'finish')
      console.log(chunk.payload.stepResult.reason, chunk.payload.metadata.providerMetadata?.['heed'])
  }
}
// => Hello
// => from
// => llama
// => stop { candidate: 'groq/llama', provider: 'groq', attempts: 2 }
// => Hello
// => from
// => error after content: nobody else is asked
// => error undefined
console.log(`${requests().length} requests`)
// => 3 requests
await close()
