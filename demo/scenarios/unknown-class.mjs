import assert from 'node:assert/strict'
import { refusals } from '../data/bodies.mjs'
import { always } from '../fleet/scripts.mjs'
import { answer, refuse } from '../fleet/steps.mjs'
import { claude, gpt, hello, REPLY } from './cast.mjs'

export const unknownClass = {
  name: 'unknown-class',
  title: 'An unknown class: passed through untouched',
  story: [
    'A 503 with a class from tomorrow. heed has no decision for it and invents none: the caller gets the very same error.',
  ],
  chain: () => [
    { ...gpt, script: always(refuse(refusals['broker-fifth-class'])) },
    { ...claude, script: always(answer(REPLY)) },
  ],
  async run({ settle, thrown, requests, eventsNamed }) {
    const outcome = await settle(hello)
    assert.equal(outcome.status, 'failed')
    assert.ok(outcome.error === thrown[0], 'the surfaced error is not the object that was thrown')
    assert.equal(requests().length, 1)
    assert.equal(eventsNamed('passthrough').length, 1)
    return 'the caller got the identical error object, after one request'
  },
}
