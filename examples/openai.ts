/**
 * OpenAI clients as a chain: called as one client, answering the SDK's own objects and streams. Anything that speaks
 * OpenAI's API at a base URL may be among them.
 */
import { heedOpenAI } from 'heed/integrations/openai'
import OpenAI from 'openai'
import { refusals } from '../demo/data/bodies.mjs'
import { startFleet } from '../demo/fleet/fleet.mjs'
import { always } from '../demo/fleet/scripts.mjs'
import { answer, refuse } from '../demo/fleet/steps.mjs'

// Stand for your providers: the first is out of credit, the second is well.
const fleet = await startFleet([
  {
    provider: 'openai',
    model: 'gpt-5',
    dialect: 'openai',
    script: always(refuse(refusals['openai-insufficient-quota'])),
  },
  { provider: 'vllm', model: 'qwen3', dialect: 'openai', script: always(answer('Good morning to you.')) },
])

const openai = heedOpenAI({
  candidates: fleet.candidates.map(({ provider, model, baseUrl }) => ({
    provider,
    model,
    client: new OpenAI({ apiKey: 'demo', baseURL: `${baseUrl}/v1` }),
  })),
})
openai.health.on('advance', ({ from, candidate, reason }) => console.log(`${from} -> ${candidate}: ${reason}`))

// As ever, but for the model, which each candidate brings.
const messages = [{ role: 'user' as const, content: 'Good morning' }]
const completion = await openai.chat.completions.create({ messages })
console.log(completion.choices[0]?.message.content)
console.log(`served by ${openai.served(completion)?.candidate.id}`)
// => openai/gpt-5 -> vllm/qwen3: permanent
// => Good morning to you.
// => served by vllm/qwen3

const stream = await openai.chat.completions.create({ messages, stream: true })
let text = ''
for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
console.log(`streamed: ${text}`)
// => openai/gpt-5 -> vllm/qwen3: permanent
// => streamed: Good morning to you.

await fleet.close()
