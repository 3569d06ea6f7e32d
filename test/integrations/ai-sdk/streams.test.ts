import { streamText } from 'ai'
import { isHeedError } from 'heed'
import { heedModel } from 'heed/integrations/ai-sdk'
import { describe, expect, test } from 'vitest'
import { call, finish, metadata, type Part, partsOf, scripted, start, stated, text } from './scripted.ts'

const ping: Part = { type: 'ping' }
const raw: Part = { type: 'raw', rawValue: 1 }
const well = [start, metadata('well'), ...text('Good ', 'morning'), finish()]

const read = async (...candidates: readonly ReturnType<typeof scripted>[]): Promise<readonly Part[]> =>
  partsOf((await heedModel({ candidates, backoff: () => 0 }).doStream(call)).stream)

const kinds = (parts: readonly Part[]): readonly string[] => parts.map(({ type }) => type)

describe('before the first content', () => {
  const preambles: Readonly<Record<string, readonly (Part | Error)[]>> = {
    'a thrown error': [start, metadata('busy'), stated('permanent')],
    'an error part': [start, metadata('busy'), { type: 'error', error: stated('permanent') }, finish('error')],
    'an error part after pings, raw chunks and empty deltas': [
      start,
      ping,
      raw,
      ...text(''),
      { type: 'reasoning-start', id: '1' },
      { type: 'reasoning-delta', id: '1', delta: '' },
      { type: 'tool-input-start', id: '2', toolName: 'charge' },
      ping,
      { type: 'error', error: stated('permanent') },
    ],
  }
  test.each(Object.entries(preambles))('%s goes to the next model, and one preamble is seen', async (_, busy) => {
    const parts = await read(scripted('busy', busy), scripted('well', well))
    expect(kinds(parts)).toEqual(kinds(well))
    expect(parts[1]).toEqual(metadata('well'))
  })

  const ends: readonly (readonly [string, readonly Part[]])[] = [
    ['no finish', [start]],
    ['a finish that says interrupted', [start, finish('interrupted')]],
    ['the finish of a provider that does not know that word', [start, finish('other')]],
  ]
  test.each(ends)('an end with %s is an incomplete stream', async (_, cut) => {
    const model = scripted('cut', cut)
    const error = await heedModel({ candidates: [model] })
      .doStream(call)
      .then(undefined, (thrown: unknown) => thrown)
    expect(isHeedError(error) && error.reason).toBe('incomplete_stream')
    expect(model.doStreamCalls).toHaveLength(1)
  })

  test('of a call that may be made twice, it is tried again', async () => {
    const model = scripted('cut', [start, finish('interrupted')], well)
    const chain = heedModel({ candidates: [model], backoff: () => 0 })
    const { stream } = await chain.doStream({ ...call, providerOptions: { heed: { idempotent: true } } })
    expect(kinds(await partsOf(stream))).toEqual(kinds(well))
  })

  test('a finish that says error has no class: it is passed on as it came, and the channel is told', async () => {
    const chain = heedModel({ candidates: [scripted('odd', [start, finish('error')]), scripted('well', well)] })
    const surfaced: string[] = []
    chain.health.on('surface', ({ reason }) => surfaced.push(reason))
    expect(kinds(await partsOf((await chain.doStream(call)).stream))).toEqual(['stream-start', 'finish'])
    expect(surfaced).toEqual(['unclassified'])
  })

  test('an answer without content is an answer where its finish says so', async () => {
    for (const ending of [finish(), finish('other', 'compaction')]) {
      expect(kinds(await read(scripted('terse', [start, ending])))).toEqual(['stream-start', 'finish'])
    }
  })

  test('an error part of unknown class reaches the consumer as the part it was, with what came before it', async () => {
    const odd = { type: 'error', error: stated('from_the_future') } as const
    const parts = await read(scripted('odd', [start, odd, finish('error')]), scripted('well', well))
    expect(kinds(parts)).toEqual(['stream-start', 'error', 'finish'])
    expect(parts[1]).toBe(odd)
  })
})

describe('after the first content', () => {
  const content: Readonly<Record<string, readonly Part[]>> = {
    text: text('A1 ', 'A2 ').slice(0, 3),
    reasoning: [
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Hm' },
    ],
    'tool input': [
      { type: 'tool-input-start', id: '0', toolName: 'charge' },
      { type: 'tool-input-delta', id: '0', delta: '{' },
    ],
    'a tool call': [{ type: 'tool-call', toolCallId: '0', toolName: 'charge', input: '{}' }],
    'a file': [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA==' } }],
    'a reasoning file': [{ type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: 'AA==' } }],
  }
  test.each(Object.entries(content))('of %s, an error part is passed on and nobody else is asked', async (_, said) => {
    const failure = { type: 'error', error: stated('transient') } as const
    const other = scripted('well', well)
    const parts = await read(scripted('busy', [start, ...said, failure, finish('error')]), other)
    expect(kinds(parts)).toEqual(kinds([start, ...said, failure, finish('error')]))
    expect(other.doStreamCalls).toHaveLength(0)
  })

  test('a stream that dies throws its own error, once, after what was read', async () => {
    const died = stated('transient')
    const [busy, other] = [scripted('busy', [start, ...text('A1 ').slice(0, 2), died]), scripted('well', well)]
    const { stream } = await heedModel({ candidates: [busy, other] }).doStream(call)
    const reader = stream.getReader()
    const seen: string[] = []
    const error = await (async () => {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return undefined
        seen.push(value.type)
      }
    })().catch((thrown: unknown) => thrown)
    expect(error).toBe(died)
    expect(seen).toEqual(['stream-start', 'text-start', 'text-delta'])
    expect([busy.doStreamCalls.length, other.doStreamCalls.length]).toEqual([1, 0])
  })

  test('an interrupted finish comes with the failure that it is, and what was read stays', async () => {
    const chain = heedModel({ candidates: [scripted('cut', [start, ...text('A1 '), finish('interrupted')])] })
    const told: unknown[] = []
    chain.health.on('surface', ({ reason }) => told.push(reason))
    const errors: unknown[] = []
    const result = streamText({
      model: chain,
      prompt: 'Hi',
      maxRetries: 0,
      onError: ({ error }) => {
        errors.push(isHeedError(error) && error.reason)
      },
    })
    expect(await result.text).toBe('A1 ')
    expect(await result.finishReason).toBe('interrupted')
    expect([told, errors]).toEqual([['incomplete_stream'], ['incomplete_stream']])
  })

  test('an interrupted finish after an error part adds nothing', async () => {
    const all = [start, ...text('A1 '), { type: 'error', error: stated('transient') }, finish('interrupted')] as const
    expect(kinds(await read(scripted('cut', all)))).toEqual(kinds(all))
  })

  test('a source that ends without a finish throws', async () => {
    const chain = heedModel({ candidates: [scripted('cut', [start, ...text('A1 ')])] })
    const error = await partsOf((await chain.doStream(call)).stream).then(undefined, (thrown: unknown) => thrown)
    expect(isHeedError(error) && error.reason).toBe('incomplete_stream')
  })
})

test('raw chunks and metadata that were held are delivered once, in order', async () => {
  const all = [start, raw, metadata('well'), raw, ...text('Hi'), finish()]
  expect(kinds(await read(scripted('well', all)))).toEqual(kinds(all))
})

test('the answer carries the request and the response of the model that serves', async () => {
  const chain = heedModel({ candidates: [scripted('busy', [start, stated('permanent')]), scripted('well', well)] })
  const { request, response } = await chain.doStream(call)
  expect([request, response]).toEqual([{ body: 'well' }, { headers: { 'x-model': 'well' } }])
})

test('nothing is read ahead of the consumer, and its leaving reaches the provider', async () => {
  const model = scripted('long', [start, ...text(...Array.from({ length: 60 }, () => 'x ')), finish()])
  const chain = heedModel({ candidates: [model] })
  const delivered: unknown[] = []
  chain.health.on('success', (event) => delivered.push(event.delivered))
  const { stream } = await chain.doStream(call)
  const reader = stream.getReader()
  for (let at = 0; at < 5; at += 1) await reader.read()
  expect(model.pulled).toBe(5)
  await reader.cancel('enough')
  expect([model.cancelled, delivered]).toEqual([['enough'], [5]])
})

test('an abort in mid-stream ends it with the reason of the caller, and no other model is called', async () => {
  const [long, other] = [scripted('long', [start, ...text('a', 'b', 'c'), finish()]), scripted('well', well)]
  const controller = new AbortController()
  const { stream } = await heedModel({ candidates: [long, other] }).doStream({
    ...call,
    abortSignal: controller.signal,
  })
  const reader = stream.getReader()
  for (let at = 0; at < 3; at += 1) await reader.read()
  const why = new Error('the user has had enough')
  controller.abort(why)
  expect(await reader.read().catch((error: unknown) => error)).toBe(why)
  expect(long.cancelled).toEqual([why])
  expect(other.doStreamCalls).toHaveLength(0)
})
