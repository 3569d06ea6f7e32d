/**
 * OpenAI Agents: a model with fallback. Agent, runner and tools stay as they are; each response says who served it.
 */
import { Agent, Runner } from '@openai/agents-core'
import { OpenAIChatCompletionsModel } from '@openai/agents-openai'
import { heedModel } from 'heed/integrations/openai-agents'
import OpenAI from 'openai'
import { startFleet } from '../demo/fleet/fleet.mjs'
import { always, inOrder } from '../demo/fleet/scripts.mjs'
import { answer, refuse } from '../demo/fleet/steps.mjs'

// Two providers on loopback ports. The first is out of credit from its second request on.
const quota = { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' }
const spent = refuse({ status: 429, headers: {}, body: { error: quota } })
const { candidates, requests, close } = await startFleet([
  { provider: 'openai', model: 'gpt-5', dialect: 'openai', script: inOrder(answer('Hello from gpt-5'), spent) },
  { provider: 'groq', model: 'llama', dialect: 'openai', script: always(answer('Hello from llama')) },
])

const model = heedModel({
  candidates: candidates.map(({ id, provider, model, baseUrl }) => {
    const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: 'yours' })
    return { id, provider, model: new OpenAIChatCompletionsModel(client, model) }
  }),
})
model.health.on('advance', ({ from, candidate, reason }) => console.log(`${from} -> ${candidate}: ${reason}`))

const runner = new Runner({ tracingDisabled: true })
const agent = new Agent({ name: 'Greeter', instructions: 'Greet.', model })

for (const _ of [1, 2]) {
  const { finalOutput, rawResponses } = await runner.run(agent, 'Hello')
  console.log(finalOutput, rawResponses[0]?.providerData?.['heed'])
}
// => Hello from gpt-5 { candidate: 'openai/gpt-5', attempts: 1 }
// => openai/gpt-5 -> groq/llama: permanent
// => Hello from llama { candidate: 'groq/llama', attempts: 2 }

// A stream: nothing of the first model's is seen, and the client's own two repeats are off.
const streamed = await runner.run(agent, 'Hello', { stream: true })
for await (const chunk of streamed.toTextStream()) console.log(chunk)
// => openai/gpt-5 -> groq/llama: permanent
// => Hello
// => from
// => llama
console.log(`${requests().length} requests`)
// => 5 requests
await close()
