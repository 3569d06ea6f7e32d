/**
 * `retry_after_secs` is a floor, for this call and for every other that shares the health: nobody comes back sooner. A
 * wait that is too long is not slept through: the call goes on with the next candidate, or says when to come back.
 */
import { heed, isHeedError } from 'heed'
import { fakeClock, producedError, scriptedProducer } from 'heed/testing'

// Time stands still until `clock.run` moves it, so that half a minute takes no time here.
const clock = fakeClock()
const candidates = [{ id: 'one', provider: 'acme' }]
const told = (retryAfterSecs: number) => ({ error: producedError('transient', { retryAfterSecs }) })

const patient = scriptedProducer({ one: [told(30), { value: 'done' }] }, { clock })
const guard = heed({ candidates, clock, random: () => 0.5 })
await clock.run(Promise.all([guard.execute(patient.call), laterCall()]))
for (const { at, callId } of patient.invocations) console.log(`${at / 1_000} s: ${callId.replace(/.*-/, 'call ')}`)
// => 0 s: call 1
// => 31.45 s: call 2
// => 31.5 s: call 1

// A quota of five hours: with another candidate at hand the call moves on at once.
const chain = [...candidates, { id: 'two', provider: 'other' }]
const quota = { one: [told(5 * 3_600)] }
const served = await clock.run(heed({ candidates: chain, clock }).settle(scriptedProducer(quota, { clock }).call))
console.log(served.attempts.map(({ candidate, waited_ms: waitedMs }) => `${candidate} after ${waitedMs} ms`).join(', '))
// => one after 0 ms, two after 0 ms

// With nobody else it surfaces at once, and says when the candidate is usable again.
const error = await heed({ candidates, clock })
  .execute(scriptedProducer(quota, { clock }).call)
  .catch((thrown: unknown) => thrown)
if (isHeedError(error)) console.log(error.reason, error.class, error.retry_after_secs)
// => wait_too_long transient 18000

/** Another call, a second later: it knows the floor without having been told. */
async function laterCall(): Promise<unknown> {
  await new Promise<void>((resolve) => {
    clock.setTimeout(resolve, 1_000)
  })
  return guard.execute(patient.call)
}
