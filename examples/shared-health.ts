/**
 * Two processes that share what their producers told them. Here both are guards of one process over a store in memory;
 * in production each is a worker of its own, and the store is `redisStore({ client })` of `heed/stores/redis`.
 */
import { createHealth, heed } from 'heed'
import { fakeClock, memoryStore, producedError } from 'heed/testing'

const clock = fakeClock()
const store = memoryStore({ clock })
const worker = (name: string) => {
  const health = createHealth({ store, clock })
  health.on('auth_prompt', ({ provider }) => console.log(`${name}: please sign in to ${provider}`))
  const candidates = [
    { id: 'acme/large', provider: 'acme' },
    { id: 'other/large', provider: 'other' },
  ]
  return heed({ candidates, clock, health })
}
const [one, two] = [worker('one'), worker('two')]

// What one is told, "come back in five hours", the other does not ask again.
const limited = ({ candidate }: { candidate: { id: string } }): string => {
  if (candidate.id === 'acme/large') throw producedError('transient', { retryAfterSecs: 5 * 3_600 })
  return candidate.id
}
console.log(await clock.run(one.execute(limited)))
console.log(await clock.run(two.execute(({ candidate }) => candidate.id)))
console.log(two.health.snapshot().cooling[0]?.remainingMs)
// => other/large
// => other/large
// => 18000000

// A revoked key: one prompt for all, and whoever resolves it wakes the calls of every process.
two.health.revive('acme/large')
await clock.advance(1) // News takes a moment.
let isRevoked = true
const ask = ({ candidate }: { candidate: { id: string } }): string => {
  if (isRevoked) throw producedError('auth_required')
  return candidate.id
}
const waiting = [one.execute(ask), two.execute(ask)]
await clock.advance(60_000)
isRevoked = false
two.auth.resolve('acme')
console.log(await clock.run(Promise.all(waiting)))
// => one: please sign in to acme
// => [ 'acme/large', 'acme/large' ]

// With a store something lives beside the calls: its subscription. It ends here.
await Promise.all([one.health.close(), two.health.close()])
