import assert from 'node:assert/strict'
import { refusals } from '../data/bodies.mjs'
import { always } from '../fleet/scripts.mjs'
import { answer, refuse } from '../fleet/steps.mjs'
import { claude, gpt, hello, REPLY, zen } from './cast.mjs'

export const quotaOfHours = {
  name: 'quota-of-hours',
  title: 'A quota of hours: move on instead of sleeping',
  story: [
    'Two models are out of quota, for 7,999 s and for 3,601 s. Neither wait fits, so the third one serves at once.',
    'A second call knows it already and asks neither of them.',
  ],
  chain: () => [
    { ...claude, script: always(refuse(refusals['anthropic-usage-window'])) },
    { ...zen, script: always(refuse(refusals['broker-account-limit'])) },
    { ...gpt, script: always(answer(REPLY)) },
  ],
  async run({ settle, requests, eventsNamed }) {
    const outcomes = [await settle(hello), await settle(hello)]
    for (const outcome of outcomes) {
      assert.equal(outcome.status, 'completed')
      assert.equal(outcome.served.candidate.id, 'openai/gpt-4o')
    }
    assert.deepEqual(
      requests().map((request) => request.candidate),
      ['anthropic/claude-sonnet-4', 'zen/qwen3-coder', 'openai/gpt-4o', 'openai/gpt-4o'],
    )
    assert.deepEqual(new Set(eventsNamed('advance').map((event) => event.delayMs)), new Set([0]))
    return 'both calls served by openai/gpt-4o without a wait; the others were asked once each'
  },
}
