import assert from 'node:assert/strict'
import { isHeedError } from 'heed'
import { refusals } from '../data/bodies.mjs'
import { always } from '../fleet/scripts.mjs'
import { refuse } from '../fleet/steps.mjs'
import { claude, gpt, hello, zen } from './cast.mjs'

export const chainDead = {
  name: 'chain-dead',
  title: 'All candidates permanent: the chain-dead alarm',
  story: [
    'Three accounts, each of which only a person can mend. Three attempts, no wait, and the alarm that is worth a page.',
  ],
  chain: () => [
    { ...gpt, script: always(refuse(refusals['openai-insufficient-quota'])) },
    { ...claude, script: always(refuse(refusals['anthropic-permission'])) },
    { ...zen, script: always(refuse(refusals['zen-region'])) },
  ],
  async run({ settle, requests, eventsNamed }) {
    const { status, error } = await settle(hello)
    assert.equal(status, 'failed')
    assert.ok(isHeedError(error), 'the surfaced error is none of heed')
    assert.deepEqual([error.reason, error.class], ['all_permanent', 'permanent'])
    assert.equal(requests().length, 3)
    assert.equal(eventsNamed('chain_dead').length, 1)
    const wire = JSON.stringify(error)
    for (const { body } of [
      refusals['openai-insufficient-quota'],
      refusals['anthropic-permission'],
      refusals['zen-region'],
    ]) {
      assert.ok(!wire.includes(body.error.message), 'the public face of the error holds a text of the provider')
    }
    return `surfaced as ${error.reason}, class ${error.class}; its JSON holds nothing that a provider wrote`
  },
}
