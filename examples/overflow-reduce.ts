/**
 * An input that is too long goes to a strictly larger window, never to the same or a smaller one. Where none is left,
 * your own `reduce` makes it smaller for the candidate that overflowed.
 */
import { heed, isHeedError } from 'heed'

const candidates = [
  { id: 'small', provider: 'acme', contextWindow: 4 },
  { id: 'same', provider: 'acme', contextWindow: 4 },
  { id: 'large', provider: 'other', contextWindow: 8 },
]
const guard = heed({ candidates })

// Counts words, as a provider counts tokens.
function complete({ candidate, input }: { candidate: (typeof candidates)[number]; input: string }): string {
  const tokens = input.split(' ').length
  console.log(`${candidate.id} is sent ${tokens}`)
  if (tokens <= candidate.contextWindow) return `answered by ${candidate.id}`
  throw Object.assign(new Error(`maximum context length is ${candidate.contextWindow}`), { class: 'context_overflow' })
}

console.log(await guard.execute(complete, { input: 'one two three four five' }))
// => small is sent 5
// => large is sent 5
// => answered by large

// Who counts tokens beforehand says so, and pays for no refusal.
console.log(await guard.execute(complete, { input: 'one two three four five', inputTokens: 5 }))
// => large is sent 5
// => answered by large

const long = 'one two three four five six seven eight nine'
const reduce = (input: string) => input.split(' ').slice(-4).join(' ')
console.log(await guard.execute(complete, { input: long, reduce }))
// => small is sent 9
// => large is sent 9
// => large is sent 4
// => answered by large

const error = await guard.execute(complete, { input: long }).catch((thrown: unknown) => thrown)
if (isHeedError(error)) console.log(error.reason, error.class, error.retryable)
// => small is sent 9
// => large is sent 9
// => context_overflow context_overflow false
