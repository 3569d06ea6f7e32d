import assert from 'node:assert/strict'
import { refusals } from '../data/bodies.mjs'
import { always } from '../fleet/scripts.mjs'
import { answer, refuse } from '../fleet/steps.mjs'
import { claude, gpt, REPLY } from './cast.mjs'

const CALLS = 20

/** What the retry budget has in hand until the provider serves, which it never does here. */
const MOST_REPEATS = 3

export const outage = {
  name: 'outage',
  title: `${CALLS} calls at once in an outage, all served by the fallback`,
  story: [
    'The first provider is down and cannot say for how long. Each call asks it once; the retry budget they share lets a few',
    'try again, not all of them, and every call is served by the other provider. (Lines are counted, not repeated.)',
  ],
  crowd: true,
  chain: () => [
    { ...claude, script: always(refuse(refusals['anthropic-overloaded'])) },
    { ...gpt, script: always(answer(REPLY)) },
  ],
  async run({ settle, requests }) {
    const asked = Array.from({ length: CALLS }, (_, call) => settle([{ role: 'user', content: `question ${call}` }]))
    const outcomes = await Promise.all(asked)
    for (const outcome of outcomes) {
      assert.equal(outcome.status, 'completed')
      assert.equal(outcome.served.candidate.id, 'openai/gpt-4o')
    }
    const atFirst = requests().filter((request) => request.candidate === 'anthropic/claude-sonnet-4').length
    assert.ok(atFirst <= CALLS + MOST_REPEATS, `the provider in trouble got ${atFirst} requests`)
    return `${CALLS} of ${CALLS} served by openai/gpt-4o; the provider in trouble got ${atFirst} requests, not ${CALLS * 3}`
  },
}
