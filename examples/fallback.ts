/**
 * A fallback chain that obeys the class: `permanent` goes on at once, `transient` waits and tries the same model again,
 * and a class that heed does not know reaches the caller as the same object.
 */
import { heed } from 'heed'
import { constant } from 'heed/strategies/backoff/constant'

// What your providers answer, in order. The fields beside the message are the contract's: a server states them, or an
// adapter (`producer`) does in its place.
const answers: Record<string, (() => string)[]> = {
  'openai/gpt-5': [refusal('You exceeded your current quota', { class: 'permanent' })],
  'anthropic/opus': [refusal('Overloaded', { class: 'transient' }), () => 'Hello!'],
}

const guard = heed({
  candidates: [
    { id: 'openai/gpt-5', provider: 'openai', maxTokens: 1_000 },
    { id: 'anthropic/opus', provider: 'anthropic', maxTokens: 2_000 },
  ],
  backoff: constant(5),
})

const outcome = await guard.settle(async ({ candidate }) => answers[candidate.id]?.shift()?.())
for (const { candidate, class: stated = 'served', waited_ms: waitedMs } of outcome.attempts) {
  console.log(`${candidate}: ${stated}${waitedMs > 0 ? ', after a wait' : ''}`)
}
if (outcome.status === 'completed') console.log(`${outcome.served.candidate.id} said: ${outcome.value}`)
// => openai/gpt-5: permanent
// => anthropic/opus: transient
// => anthropic/opus: served, after a wait
// => anthropic/opus said: Hello!

const odd = Object.assign(new Error('The sky fell'), { class: 'sky_fell' })
const caught = await guard
  .execute(() => {
    throw odd
  })
  .catch((error: unknown) => error)
console.log(`an unknown class: ${caught === odd ? 'the same object, after one attempt' : 'something else'}`)
// => an unknown class: the same object, after one attempt

function refusal(message: string, fields: { class: string; retry_after_secs?: number }): () => never {
  return () => {
    throw Object.assign(new Error(message), fields)
  }
}
