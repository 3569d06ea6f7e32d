import assert from 'node:assert/strict'
import { streamFailures } from '../data/bodies.mjs'
import { always, inOrder } from '../fleet/scripts.mjs'
import { answer, failInStream } from '../fleet/steps.mjs'
import { claude, gpt, hello, REPLY } from './cast.mjs'
import { readAll } from './read-all.mjs'

export const streamRecovers = {
  name: 'stream-recovers',
  title: 'A stream that fails before content, and recovers',
  story: [
    'The stream opens with status 200, sends its preamble, and then an error event. Nothing was handed out yet, so the call is',
    'replayed; the reader sees one preamble and one answer.',
  ],
  chain: () => [
    { ...claude, script: inOrder(failInStream(streamFailures['anthropic-overloaded-event']), answer(REPLY)) },
    { ...gpt, script: always(answer(REPLY)) },
  ],
  async run({ stream, eventsNamed }) {
    const { items, text, failure } = await readAll(stream(hello), 'anthropic')
    assert.equal(failure, undefined)
    assert.equal(text, REPLY)
    assert.equal(items.filter((item) => item.type === 'message_start').length, 1)
    assert.ok(items.every((item) => item.type !== 'error'))
    assert.deepEqual(
      eventsNamed('attempt').map((event) => event.candidate),
      Array(2).fill('anthropic/claude-sonnet-4'),
    )
    return `one preamble, ${items.length} items, the whole answer, from anthropic/claude-sonnet-4`
  },
}
