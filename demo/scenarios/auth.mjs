import assert from 'node:assert/strict'
import { refusals } from '../data/bodies.mjs'
import { always, forToken } from '../fleet/scripts.mjs'
import { answer, refuse } from '../fleet/steps.mjs'
import { claude, gpt, hello, REPLY } from './cast.mjs'

const NEW_TOKEN = 'signed-in-again'

export const auth = {
  name: 'auth',
  title: 'Authorization: ask a person, then the same call goes on',
  story: [
    'The token of the first provider has expired. By default the call pauses, although another provider could serve:',
    'one prompt is raised, and once it is answered the same call completes where it was meant to.',
  ],
  chain: () => [
    {
      ...claude,
      script: forToken(NEW_TOKEN, answer(REPLY), refuse(refusals['anthropic-oauth-expired'])),
    },
    { ...gpt, script: always(answer(REPLY)) },
  ],
  async run({ guard, settle, signIn, eventsNamed }) {
    const prompted = new Promise((raised) => guard.health.once('auth_prompt', raised))
    const settled = settle(hello)
    // A call that ends without a prompt must not leave the demo waiting for one.
    await Promise.race([prompted, settled])
    assert.deepEqual(
      guard.auth.pending().map((prompt) => prompt.provider),
      ['anthropic'],
    )
    await signIn('anthropic', NEW_TOKEN)
    guard.auth.resolve('anthropic')
    const outcome = await settled
    assert.equal(outcome.status, 'completed')
    assert.equal(outcome.served.candidate.id, 'anthropic/claude-sonnet-4')
    assert.equal(eventsNamed('auth_prompt').length, 1)
    assert.equal(new Set(eventsNamed('attempt').map((event) => event.callId)).size, 1)
    assert.deepEqual(guard.auth.pending(), [])
    return `the same call completed on ${outcome.served.candidate.id} after one prompt`
  },
}
