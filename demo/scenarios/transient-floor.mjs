import assert from 'node:assert/strict'
import { refusals } from '../data/bodies.mjs'
import { inOrder } from '../fleet/scripts.mjs'
import { answer, refuse } from '../fleet/steps.mjs'
import { claude, gpt, hello, REPLY } from './cast.mjs'

export const transientFloor = {
  name: 'transient-floor',
  title: 'Transient, with a floor',
  story: ['The first model is rate limited and says: not before 1 s. The wait is never shorter, and then it serves.'],
  chain: () => [
    { ...claude, script: inOrder(refuse(refusals['anthropic-rate-limit']), answer(REPLY)) },
    { ...gpt, script: inOrder(answer(REPLY)) },
  ],
  async run({ settle, requests }) {
    const outcome = await settle(hello)
    assert.equal(outcome.status, 'completed')
    assert.equal(outcome.value, REPLY)
    assert.equal(outcome.served.candidate.id, 'anthropic/claude-sonnet-4')
    const [first, second] = requests()
    const gapMs = second.atMs - first.atMs
    assert.ok(gapMs >= 1000, `the server saw the second request after ${gapMs} ms`)
    return `served by ${outcome.served.candidate.id}; on the server's clock the two requests are ${(gapMs / 1000).toFixed(3)} s apart`
  },
}
