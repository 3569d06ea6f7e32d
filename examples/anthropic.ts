/**
 * Anthropic clients as a chain; and for a client that stays as it is, a middleware, which serves all that the client
 * does, its streaming helper included.
 */
import Anthropic from '@anthropic-ai/sdk'
import { heedAnthropic, heedMiddleware } from 'heed/integrations/anthropic'
import { refusals, streamFailures } from '../demo/data/bodies.mjs'
import { startFleet } from '../demo/fleet/fleet.mjs'
import { inOrder } from '../demo/fleet/scripts.mjs'
import { answer, failInStream, refuse } from '../demo/fleet/steps.mjs'

// Stand for your providers: the first is not permitted, the second overloaded for a moment.
const served = answer('Good morning to you.')
const overloaded = failInStream(streamFailures['anthropic-overloaded-event'])
const fleet = await startFleet([
  {
    provider: 'anthropic',
    model: 'claude-opus',
    dialect: 'anthropic',
    script: inOrder(refuse(refusals['anthropic-permission'])),
  },
  { provider: 'gateway', model: 'claude-sonnet', dialect: 'anthropic', script: inOrder(served, overloaded, served) },
])
const clients = fleet.candidates.map(({ provider, model, baseUrl: baseURL }) => ({
  provider,
  model,
  client: new Anthropic({ apiKey: 'demo', baseURL }),
}))

const claude = heedAnthropic({ candidates: clients })
const question = { max_tokens: 1_024, messages: [{ role: 'user' as const, content: 'Good morning' }] }
const message = await claude.messages.create(question)
console.log(message.content[0]?.type === 'text' && message.content[0].text)
for (const { candidate, class: stated = 'served' } of claude.served(message)?.attempts ?? []) {
  console.log(`${candidate}: ${stated}`)
}
// => Good morning to you.
// => anthropic/claude-opus: permanent
// => gateway/claude-sonnet: served

// The same rules for one client, with not a call to change.
const heeding = heedMiddleware({ candidates: [{ provider: 'gateway' }], backoff: () => 5 })
heeding.health.on('retry', ({ class: stated }) => console.log(`${stated}: asked again`))
const baseURL = fleet.candidates[1]?.baseUrl
const client = new Anthropic({ apiKey: 'demo', baseURL, maxRetries: 0, middleware: [heeding] })
let text = ''
for await (const event of await client.messages.create({ model: 'claude-sonnet', ...question, stream: true })) {
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text
}
console.log(text)
// => transient: asked again
// => Good morning to you.

await fleet.close()
