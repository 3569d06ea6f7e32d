/**
 * A strategy of your own is one small pure function. The conformance suite of its slot says whether it keeps the rules:
 * `heed/testing` gives the cases, any test runner runs them.
 */
import { type AuthStrategy, type Backoff, heed } from 'heed'
import { authConformance, backoffConformance, fakeClock, producedError, scriptedProducer } from 'heed/testing'

/** 1 s, 2 s, 3 s, …, at most 10 s, each shortened by up to a tenth so that callers do not come back together. */
const linear: Backoff = ({ repeat, random }) => Math.min(repeat, 10) * 1_000 * (1 - 0.1 * random)

/** People are at the desk for the paid provider only. */
const deskHours: AuthStrategy = ({ provider, otherProviderEligible }) =>
  provider === 'acme' || !otherProviderEligible ? 'pause' : 'advance'

// In a test file: for (const { name, run } of backoffConformance(linear)) test(name, run)
for (const { name, run } of [...backoffConformance(linear), ...authConformance(deskHours)]) {
  run()
  console.log(`ok: ${name}`)
}

// A rule that is broken is named, with what was asked and answered.
const wild: Backoff = ({ repeat }) => repeat * 1_000 * Math.random()
for (const { name, run } of backoffConformance(wild)) {
  try {
    run()
  } catch {
    console.log(`broken: ${name}`)
  }
}

const clock = fakeClock()
const busy = scriptedProducer({ one: [{ error: producedError('transient') }] }, { clock })
const guard = heed({
  candidates: [{ id: 'one', provider: 'acme' }],
  backoff: linear,
  auth: deskHours,
  clock,
  random: () => 0,
})
await clock.run(guard.settle(busy.call))
console.log(busy.invocations.map(({ at }) => `${at} ms`).join(', '))
// => ok: answers finite milliseconds, 0 or more, for repeats 1 to 10000
// => ok: answers finite milliseconds, 0 or more, whatever the delay before was
// => ok: stays finite when fed its own delays
// => ok: answers the same for the same context, in any order
// => ok: answers 'pause', 'advance' or 'surface'
// => ok: answers 'advance' only when another provider is eligible
// => ok: answers the same for the same context, in any order
// => broken: answers the same for the same context, in any order
// => 0 ms, 1000 ms, 3000 ms
