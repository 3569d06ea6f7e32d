import assert from 'node:assert/strict'
import { refusals } from '../data/bodies.mjs'
import { always, countTokens, withinWindow } from '../fleet/scripts.mjs'
import { answer, refuse } from '../fleet/steps.mjs'
import { claude, REPLY, vllm, vllmTwin } from './cast.mjs'

const longInput = [{ role: 'user', content: 'a long report, line after line. '.repeat(3_000) }]
const overflow = refuse(refusals['vllm-context-length'])

export const overflowLarger = {
  name: 'overflow-larger',
  title: 'Context overflow: on to a larger window',
  story: [
    `An input of ${countTokens(longInput).toLocaleString('en')} tokens exceeds a window of 16,384. The next candidate has the same window and is`,
    'not asked; the first with a larger one is.',
  ],
  chain: () => [
    { ...vllm, script: withinWindow(vllm.contextWindow, answer(REPLY), overflow) },
    { ...vllmTwin, script: withinWindow(vllmTwin.contextWindow, answer(REPLY), overflow) },
    { ...claude, script: always(answer(REPLY)) },
  ],
  async run({ settle, requests }) {
    const outcome = await settle(longInput)
    assert.equal(outcome.status, 'completed')
    assert.deepEqual(
      requests().map((request) => request.candidate),
      ['vllm/mistral-small', 'anthropic/claude-sonnet-4'],
    )
    return `served by ${outcome.served.candidate.id}, with a window of 200,000 tokens`
  },
}
