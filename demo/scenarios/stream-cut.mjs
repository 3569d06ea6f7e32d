import assert from 'node:assert/strict'
import { always } from '../fleet/scripts.mjs'
import { answer, cut } from '../fleet/steps.mjs'
import { claude, gpt, hello, REPLY } from './cast.mjs'
import { readAll } from './read-all.mjs'

export const streamCut = {
  name: 'stream-cut',
  title: 'A stream cut after content: surfaced, never replayed',
  story: [
    'Some words have reached the reader when the connection breaks. A replay would say them twice: the loss surfaces.',
  ],
  chain: () => [
    { ...gpt, script: always(cut(REPLY, { afterTokens: 4 })) },
    { ...claude, script: always(answer(REPLY)) },
  ],
  async run({ stream, requests, eventsNamed }) {
    const { text, failure } = await readAll(stream(hello), 'openai')
    assert.equal(failure?.code, 'UND_ERR_SOCKET', 'the reader did not get the socket error itself')
    assert.ok(text !== '' && REPLY.startsWith(text), `the reader saw ${JSON.stringify(text)}`)
    assert.deepEqual(
      eventsNamed('surface').map((event) => event.reason),
      ['committed'],
    )
    assert.deepEqual(
      requests().map((request) => request.candidate),
      ['openai/gpt-4o'],
    )
    return `the reader has "${text.trim()}" and the error; the server saw exactly one request`
  },
}
