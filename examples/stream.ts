/**
 * Streams: until the first content item a failure is retried elsewhere and the consumer sees one preamble; after it,
 * nothing is ever replayed.
 */
import { heed } from 'heed'

type Item = { readonly type: 'start'; readonly model: string } | { readonly type: 'text'; readonly text: string }

const guard = heed({
  candidates: [
    { id: 'busy', provider: 'first' },
    { id: 'steady', provider: 'second' },
  ],
})

async function* answer(model: string, words: readonly string[]): AsyncGenerator<Item> {
  yield { type: 'start', model }
  if (model === 'busy') throw Object.assign(new Error('Overloaded'), { class: 'permanent' })
  for (const text of words) yield { type: 'text', text }
}

const isContent = (item: Item) => item.type === 'text'
const stream = guard.stream(({ candidate }) => answer(candidate.id, ['Good ', 'morning']), { isContent })
for await (const item of stream) console.log(item.type === 'start' ? `start ${item.model}` : item.text)
console.log(`served by ${(await stream.opened).candidate.id}`)
// => start steady
// => Good
// => morning
// => served by steady

// Cut after content: what was read stands, the failure surfaces as it came, and nobody is asked again.
const cut = Object.assign(new Error('socket hang up'), { class: 'transient' })
let asked = 0
const broken = guard.stream(
  async function* (): AsyncGenerator<Item> {
    asked += 1
    yield { type: 'text', text: 'Good ' }
    throw cut
  },
  { isContent },
)
try {
  for await (const item of broken) console.log(item.type)
} catch (error) {
  console.log(error === cut ? `the same error, ${asked} request` : 'another error')
}
// => text
// => the same error, 1 request

// The same as a web stream, for a `Response`.
const body = guard.stream(async function* () {
  yield 'data: 1\n\n'
  yield 'data: 2\n\n'
})
const text = await new Response(body.toReadableStream().pipeThrough(new TextEncoderStream())).text()
console.log(JSON.stringify(text))
// => "data: 1\n\ndata: 2\n\n"
