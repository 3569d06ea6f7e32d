import assert from 'node:assert/strict'
import { always } from '../fleet/scripts.mjs'
import { answer, reset } from '../fleet/steps.mjs'
import { claude, gpt, hello, REPLY } from './cast.mjs'

export const ambiguous = {
  name: 'ambiguous',
  title: 'An ambiguous loss: not replayed, anywhere',
  story: [
    'The connection is reset after the request was read. It may have been executed, so without `idempotent: true` it is not',
    'sent again, to the fallback either.',
  ],
  chain: () => [
    { ...gpt, script: always(reset()) },
    { ...claude, script: always(answer(REPLY)) },
  ],
  async run({ settle, thrown, requests, eventsNamed }) {
    const outcome = await settle(hello)
    assert.equal(outcome.status, 'failed')
    assert.ok(outcome.error === thrown[0], 'the surfaced error is not the object that was thrown')
    assert.deepEqual(
      eventsNamed('surface').map((event) => event.reason),
      ['ambiguous'],
    )
    assert.deepEqual(
      requests().map((request) => request.candidate),
      ['openai/gpt-4o'],
    )
    return 'the caller got the socket error itself; exactly one request was sent'
  },
}
