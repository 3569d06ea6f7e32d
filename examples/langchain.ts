/**
 * LangChain: an agent's model calls with fallback, and a sign-in that goes through the graph. The agent stays as it is.
 */
import { Command, MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { heedModels, heedRunnable } from 'heed/integrations/langchain'
import { createAgent } from 'langchain'
import { startFleet } from '../demo/fleet/fleet.mjs'
import { always, inOrder } from '../demo/fleet/scripts.mjs'
import { answer, refuse } from '../demo/fleet/steps.mjs'

// Two providers on loopback ports. The first is out of credit at first; the second then refuses a key, once.
const quota = { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' }
const badKey = { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' }
const refusal = (status: number, error: object) => refuse({ status, headers: {}, body: { error } })
const script = inOrder(answer('Hello from llama'), refusal(401, badKey), answer('Hello again'))
const { candidates, requests, close } = await startFleet([
  { provider: 'openai', model: 'gpt-5', dialect: 'openai', script: always(refusal(429, quota)) },
  { provider: 'groq', model: 'llama', dialect: 'openai', script },
])

// LangChain's own repeats are off: it would make six of each, unseen.
const [gpt, llama] = candidates.map(({ id, provider, model, baseUrl }) => {
  const configuration = { baseURL: `${baseUrl}/v1` }
  return { id, provider, model: new ChatOpenAI({ model, apiKey: 'yours', maxRetries: 0, configuration }) }
}) as [Named, Named]
type Named = { readonly id: string; readonly provider: string; readonly model: ChatOpenAI }

const { model, ...primary } = gpt
const heeding = heedModels({ primary, fallbacks: [llama], onAuthRequired: 'interrupt' })
heeding.health.on('advance', ({ from, candidate, reason }) => console.log(`${from} -> ${candidate}: ${reason}`))
const agent = createAgent({ model, tools: [], middleware: [heeding], checkpointer: new MemorySaver() })

// What a UI shows: nothing of the first model's, and never anything twice.
const hello = { messages: [{ role: 'user' as const, content: 'Hello' }] }
const shown = await agent.stream(hello, { configurable: { thread_id: 'one' }, streamMode: 'messages' })
for await (const [chunk] of shown) if (chunk.content !== '') console.log(chunk.content)
// => openai/gpt-5 -> groq/llama: permanent
// => Hello
// => from
// => llama

// A refused key: the graph is interrupted, and goes on when somebody has signed in.
const thread = { configurable: { thread_id: 'two' } }
const paused = await agent.invoke(hello, thread)
console.log((paused as { __interrupt__?: { value: unknown }[] }).__interrupt__?.[0]?.value)
// => openai/gpt-5 -> groq/llama: permanent
// => { type: 'auth_required', provider: 'groq', refused: [] }
const resumed = await agent.invoke(new Command({ resume: true }), thread)
console.log(resumed.messages.at(-1)?.content)
// => openai/gpt-5 -> groq/llama: permanent
// => Hello again

// Without an agent: a chain of models is a Runnable.
const chain = heedRunnable({ candidates: [gpt, llama] })
console.log((await chain.invoke('Hello')).content)
// => Hello again
console.log(`${requests().length} requests`)
// => 9 requests
await close()
