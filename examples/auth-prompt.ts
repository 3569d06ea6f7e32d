/**
 * A refused credential: one prompt, however many calls wait for it; after `resolve` the same calls go on. A human who
 * cannot help declines, and the provider is skipped until somebody resolves it.
 */
import { heed } from 'heed'
import { fakeClock } from 'heed/testing'

// Read the token anew in each attempt: that is what makes the resumed call use the new one.
const tokens = new Map([
  ['acme', 'expired'],
  ['other', 'valid'],
])
const clock = fakeClock()
const guard = heed({
  candidates: [
    { id: 'acme/large', provider: 'acme' },
    { id: 'other/large', provider: 'other' },
  ],
  clock,
})
const ask = () =>
  guard.execute(async ({ candidate }) => {
    if (tokens.get(candidate.provider) !== 'valid') {
      throw Object.assign(new Error('401 token expired'), { class: 'auth_required' })
    }
    return candidate.id
  })

const stop = guard.health.on('auth_prompt', ({ provider }) => {
  console.log(`please sign in to ${provider}`)
  // A person takes a minute. Then one waiting call goes first and the rest follow, spread over at most a second.
  clock.setTimeout(() => {
    console.log(`${guard.auth.pending()[0]?.waiting} calls wait`)
    tokens.set(provider, 'valid')
    guard.auth.resolve(provider)
  }, 60_000)
})
console.log(await clock.run(Promise.all([ask(), ask()])))
stop()
// => please sign in to acme
// => 2 calls wait
// => [ 'acme/large', 'acme/large' ]

guard.health.on('auth_prompt', ({ provider }) => guard.auth.decline(provider, 'nobody is at the desk'))
tokens.set('acme', 'expired again')
console.log(await ask())
console.log(guard.health.snapshot().providers[0]?.declined)
// => other/large
// => true
