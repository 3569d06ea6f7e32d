import type { LanguageModelV2, LanguageModelV3, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { generateText, streamText } from 'ai'
import { heedModel } from 'heed/integrations/ai-sdk'
import { describe, expect, test } from 'vitest'
import { partsOf, scripted, start, stated, text, usage } from './scripted.ts'

const bytes = new Uint8Array([1, 2, 3])
const file = { type: 'file', mediaType: 'image/png', data: 'AA==' } as const

function streamOf<T>(parts: readonly T[]): ReadableStream<T> {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

/** A model of version 2: its finish is a word and its usage is flat. */
function ofV2(seen: unknown[] = []): LanguageModelV2 {
  const flat = { inputTokens: 3, outputTokens: 4, totalTokens: 7, reasoningTokens: 1, cachedInputTokens: 2 }
  return {
    specificationVersion: 'v2',
    provider: 'old',
    modelId: 'two',
    supportedUrls: {},
    doGenerate: async (options) => {
      seen.push(options.prompt)
      return { content: [{ type: 'text', text: 'from v2' }, file], finishReason: 'unknown', usage: flat, warnings: [] }
    },
    doStream: async () => ({
      stream: streamOf([
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: 'from v2' },
        { type: 'text-end', id: '0' },
        file,
        { type: 'finish', finishReason: 'stop', usage: flat },
      ] as const),
    }),
  }
}

function ofV3(seen: unknown[] = []): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'old',
    modelId: 'three',
    supportedUrls: { 'image/*': [/^https:/] },
    doGenerate: async (options) => {
      seen.push(options.prompt)
      return {
        content: [{ type: 'text', text: 'from v3' }, file],
        finishReason: { unified: 'stop', raw: 'end' },
        usage,
        warnings: [],
      }
    },
    doStream: async () => ({
      stream: streamOf([
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: 'from v3' },
        { type: 'text-end', id: '0' },
        file,
        { type: 'finish', finishReason: { unified: 'stop', raw: 'end' }, usage },
      ] as const),
    }),
  }
}

describe.each([
  ['v2', ofV2],
  ['v3', ofV3],
] as const)('a model of %s as a candidate', (version, make) => {
  const chain = () => heedModel({ candidates: [scripted('gone', stated('permanent')), make()] })

  test('serves whole answers, as the SDK itself reads them', async () => {
    const [ours, theirs] = await Promise.all(
      [chain(), make()].map((model) => generateText({ model, prompt: 'Hi', maxRetries: 0 })),
    )
    expect(ours?.text).toBe(`from ${version}`)
    expect([ours?.usage, ours?.finishReason, ours?.files]).toEqual([theirs?.usage, theirs?.finishReason, theirs?.files])
  })

  test('serves streams, as the SDK itself reads them', async () => {
    const read = async (model: Parameters<typeof streamText>[0]['model']) => {
      const result = streamText({ model, prompt: 'Hi', maxRetries: 0 })
      return [await result.text, await result.usage, await result.finishReason, (await result.files).length]
    }
    expect(await read(chain())).toEqual(await read(make()))
  })

  test('gets files as its version has them', async () => {
    const seen: unknown[] = []
    const prompt: LanguageModelV4Prompt = [
      { role: 'system', content: 'Be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: bytes } },
          { type: 'file', mediaType: 'image/png', data: { type: 'url', url: new URL('https://example.com/a.png') } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: '1',
            toolName: 'look',
            output: {
              type: 'content',
              value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: bytes } }],
            },
          },
        ],
      },
    ]
    await heedModel({ candidates: [make(seen)] }).doGenerate({ prompt })
    const [, user, tool] = seen[0] as { content: { data?: unknown; output?: { value: unknown[] } }[] }[]
    expect([user?.content[1]?.data, String(user?.content[2]?.data)]).toEqual([bytes, 'https://example.com/a.png'])
    expect(tool?.content[0]?.output?.value[0]).toMatchObject({
      type: 'file-data',
      data: 'AQID',
      mediaType: 'image/png',
    })
  })
})

test('an older stream that is left is closed, and one that dies throws its error', async () => {
  const left: unknown[] = []
  const died = new Error('died')
  const model = (parts: ReadableStream): LanguageModelV3 => ({ ...ofV3(), doStream: async () => ({ stream: parts }) })
  const open = async (parts: ReadableStream) =>
    (await heedModel({ candidates: [model(parts)] }).doStream({ prompt: [] })).stream
  const said = [start, ...text('Hi').slice(0, 2)]
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(said.shift() ?? { type: 'text-delta', id: '0', delta: 'x' }),
    cancel: (reason) => {
      left.push(reason)
    },
  })
  await (await open(endless)).cancel('enough')
  expect(left).toEqual(['enough'])

  const dying = [start, ...text('Hi').slice(0, 2)]
  const dies = new ReadableStream({
    pull: (controller) => (dying.length > 0 ? controller.enqueue(dying.shift()) : controller.error(died)),
  })
  expect(await partsOf(await open(dies)).then(undefined, (error) => error)).toBe(died)
})
