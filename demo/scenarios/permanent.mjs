import assert from 'node:assert/strict'
import { refusals } from '../data/bodies.mjs'
import { always } from '../fleet/scripts.mjs'
import { answer, refuse } from '../fleet/steps.mjs'
import { claude, gpt, hello, REPLY } from './cast.mjs'

export const permanent = {
  name: 'permanent',
  title: 'Permanent: no second try, the next one at once',
  story: [
    'A 429 again, but this account must be paid: the producer says permanent, so nobody waits and nobody asks twice.',
  ],
  chain: () => [
    { ...gpt, script: always(refuse(refusals['openai-insufficient-quota'])) },
    { ...claude, script: always(answer(REPLY)) },
  ],
  async run({ settle, eventsNamed }) {
    const outcome = await settle(hello)
    assert.equal(outcome.status, 'completed')
    assert.equal(outcome.served.candidate.id, 'anthropic/claude-sonnet-4')
    assert.equal(outcome.attempts.length, 2)
    assert.deepEqual(
      eventsNamed('advance').map((event) => [event.reason, event.delayMs]),
      [['permanent', 0]],
    )
    return `served by ${outcome.served.candidate.id} on the second attempt`
  },
}
