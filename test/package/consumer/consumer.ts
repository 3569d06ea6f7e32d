/** What a user of the packed package writes: compiled against its declarations and run against its code. */
import { createHealth, type HeedError, heed, isHeedError, readClassification, unwrap } from 'heed'
import { constant } from 'heed/strategies/backoff/constant'
import { consecutive } from 'heed/strategies/breaker/consecutive'

const health = createHealth()

const guard = heed({
  candidates: [
    { id: 'first/model', provider: 'first', contextWindow: 8_000, temperature: 0 },
    { id: 'second/model', provider: 'second', contextWindow: 32_000, temperature: 1 },
  ],
  health,
  attempts: { perTarget: 2, total: 5 },
  timeoutMs: 5_000,
})

const advances: string[] = []
health.on('advance', (event) => advances.push(event.callId))

// The user's own fields stay typed in the attempt.
const temperature: number = await guard.execute(async ({ candidate, number }) => {
  if (number === 1) throw Object.assign(new Error('gone'), { class: 'permanent' })
  return candidate.temperature
})
if (temperature !== 1 || advances.length !== 1) throw new Error('the second candidate did not serve')

const items: string[] = []
for await (const item of guard.stream(async function* () {
  yield 'a'
  yield 'b'
})) {
  items.push(item)
}
if (items.join('') !== 'ab') throw new Error('the stream did not pass through')

const outcome = await guard.settle(async (): Promise<number> => {
  throw Object.assign(new Error('gone'), { class: 'permanent' })
})
if (outcome.status !== 'failed' || outcome.attempts.length !== 2) throw new Error('the outcome is not what happened')

const reasonOf = (error: HeedError): string => error.reason
try {
  const never: number = unwrap(outcome)
  throw new Error(`unwrapped ${never}`)
} catch (error) {
  if (!isHeedError(error) || reasonOf(error) === '') throw error
}

const read: string | undefined = readClassification({ class: 'transient' }).class
if (read !== 'transient') throw new Error('the class was not read')

const double = heed({
  candidates: [{ id: 'only/model', provider: 'only' }],
  backoff: constant(1),
  breaker: consecutive({ threshold: 5 }),
}).wrap(async (_attempt, value: number) => value * 2)
if ((await double(21)) !== 42) throw new Error('the wrapped function did not answer')

console.log('consumer ok')
