import assert from 'node:assert/strict'
import { refusals } from '../data/bodies.mjs'
import { countTokens, withinWindow } from '../fleet/scripts.mjs'
import { answer, refuse } from '../fleet/steps.mjs'
import { claude, REPLY } from './cast.mjs'

const conversation = Array.from({ length: 8 }, (_, turn) => ({
  role: turn % 2 === 0 ? 'user' : 'assistant',
  content: `turn ${turn}: `.padEnd(120_000, 'and so on '),
}))

/** Drops the older half, the way a client compacts a conversation. */
const newerHalf = (messages) => messages.slice(messages.length / 2)

export const overflowReduced = {
  name: 'overflow-reduced',
  title: 'Context overflow: nothing larger, so the input is reduced',
  story: [
    `A conversation of ${countTokens(conversation).toLocaleString('en')} tokens exceeds the only window, 200,000. The caller's own \`reduce\` drops the older half,`,
    'and the same candidate serves what is left.',
  ],
  chain: () => [
    {
      ...claude,
      script: withinWindow(claude.contextWindow, answer(REPLY), refuse(refusals['anthropic-request-too-large'])),
    },
  ],
  async run({ settle, eventsNamed }) {
    const inputs = []
    const outcome = await settle(conversation, {
      reduce: (input) => {
        inputs.push(input)
        return newerHalf(input)
      },
    })
    assert.equal(outcome.status, 'completed')
    assert.deepEqual(inputs, [conversation])
    assert.equal(eventsNamed('reduce').length, 1)
    assert.equal(outcome.attempts.length, 2)
    return `served by ${outcome.served.candidate.id} with ${newerHalf(conversation).length} of ${conversation.length} turns`
  },
}
