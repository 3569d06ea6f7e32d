import { iterating, reading } from '../harness/fresh-loop.mjs'
import { passThrough } from '../peers/by-hand.mjs'
import { peerNamed } from './answers.mjs'

const ITEMS = 1_000
const item = Object.freeze({ type: 'text-delta', id: '1', delta: 'word' })

const generated = () =>
  (async function* generate() {
    for (let index = 0; index < ITEMS; index++) yield item
  })()

/** An iterable whose `next` does the least that the protocol allows. */
const iterable = () => {
  let index = 0
  const iterator = {
    next: () => Promise.resolve(index++ < ITEMS ? { value: item, done: false } : { value: undefined, done: true }),
    return: () => Promise.resolve({ value: undefined, done: true }),
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}

const web = () => {
  let index = 0
  return new ReadableStream({
    pull(controller) {
      if (index++ < ITEMS) controller.enqueue(item)
      else controller.close()
    },
  })
}

const complete = async (open) => {
  let items = 0
  for await (const read of open()) if (read === item) items++
  if (items !== ITEMS) throw new Error(`the stream gave ${items} items of ${ITEMS}`)
}

const iteratingRow = (id, title, source) => ({
  id,
  title,
  unit: 'ns/item',
  baselines: ['the source directly'],
  against: 'the source directly',
  target: 1.4,
  groups: [['heed'], ['heed, abortSignal'], ['generator passthrough']],
  prepare: async (name) => {
    let open = source
    if (name === 'generator passthrough') open = passThrough(source)
    if (name.startsWith('heed')) {
      const call = name === 'heed' ? undefined : { abortSignal: new AbortController().signal }
      open = (await peerNamed('heed')).stream(source, call)
    }
    await complete(open)
    return iterating(open, ITEMS)
  },
})

export const generatorRow = iteratingRow(
  'stream-generator',
  'stream of an async generator, per item after commit',
  generated,
)

export const iterableRow = iteratingRow(
  'stream-iterable',
  'stream of a plain async iterable, per item after commit',
  iterable,
)

export const webRow = {
  id: 'stream-web',
  title: 'web stream, per item after commit',
  unit: 'ns/item',
  baselines: ['its own reader'],
  against: 'its own reader',
  target: 1,
  groups: [['heed'], ['heed, iterated'], ['ai-retry', 'ai-fallback']],
  prepare: async (name) => {
    if (name === 'heed, iterated') {
      const open = (await peerNamed('heed')).stream(web)
      await complete(open)
      return iterating(open, ITEMS)
    }
    let open = web
    if (name !== 'its own reader') open = (await peerNamed(name)).webStream(web)
    const first = await open()
    await complete(() => first)
    return reading(open, ITEMS)
  },
}
