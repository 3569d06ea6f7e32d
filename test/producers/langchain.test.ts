import { ContextOverflowError, ModelAbortError, ModelRefusalError, stampRetryable } from '@langchain/core/errors'
import { AIMessage, AIMessageChunk } from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { AsyncCaller } from '@langchain/core/utils/async_caller'
import { langchain } from 'heed/producers/langchain'
import { MiddlewareError } from 'langchain'
import { describe, expect, test } from 'vitest'

const read = (raw: unknown) => {
  const { detail: _, ...found } = langchain.classify(raw, { nowMs: 0 }) ?? { class: undefined }
  return found
}

const refused = (message: string, fields: object): Error => Object.assign(new Error(message), fields)

/** What LangChain's own caller makes of a failure: it renames, stamps and annotates it. */
async function called(error: Error): Promise<unknown> {
  const caller = new AsyncCaller({ maxRetries: 0 })
  return caller.call(() => Promise.reject(error)).catch((thrown: unknown) => thrown)
}

describe('what LangChain states of a failure', () => {
  test.each([
    ['an overflow', new ContextOverflowError('too long'), { class: 'context_overflow' }],
    [
      'an overflow made of an error',
      ContextOverflowError.fromError(refused('x', { status: 400 })),
      { class: 'context_overflow' },
    ],
    ['a refusal', new ModelRefusalError(), { class: 'permanent' }],
    ['an abort', new ModelAbortError('stopped'), { class: undefined }],
    ['the stamp, where nothing else tells', stampRetryable(new Error('odd'), true), { class: 'transient' }],
    ['the stamp of what may not be retried', stampRetryable(new Error('odd'), false), { class: 'permanent' }],
    [
      'a status, which outweighs the stamp',
      stampRetryable(refused('x', { status: 401 }), false),
      { class: 'auth_required' },
    ],
    [
      'a wait in milliseconds',
      refused('x', { status: 429, retryAfterMs: 2_500 }),
      { class: 'transient', retryAfterSecs: 2.5 },
    ],
    ['a wait that is none', refused('x', { status: 429, retryAfterMs: -1 }), { class: 'transient' }],
    ['a wait beside another class', refused('x', { status: 404, retryAfterMs: 2_500 }), { class: 'permanent' }],
    [
      'an answer of no chunks',
      new Error('Received empty response from chat model call.'),
      { class: undefined, ambiguous: true },
    ],
  ])('%s', (_name, raw, expected) => {
    expect(read(raw)).toEqual(expected)
  })

  test('is read through the layers of an agent', () => {
    const inner = MiddlewareError.wrap(stampRetryable(refused('odd', { retryAfterMs: 1_000 }), true), 'inner')
    expect(read(MiddlewareError.wrap(inner, 'outer'))).toEqual({ class: 'transient', retryAfterSecs: 1 })
  })

  test.each([
    [
      'a limit with a hint',
      { status: 429, headers: { 'retry-after': '70' } },
      { class: 'transient', retryAfterSecs: 70 },
    ],
    ['a limit without one', { status: 429 }, { class: 'transient' }],
    ['a quota that is spent', { status: 429, code: 'insufficient_quota' }, { class: 'permanent' }],
    ['a bad key', { status: 401 }, { class: 'auth_required' }],
    ['a model that is not there', { status: 404 }, { class: 'permanent' }],
    ['a server that is down', { status: 503 }, { class: 'transient' }],
  ])('%s is read as before, after its caller has had it', async (_name, fields, expected) => {
    expect(read(await called(refused('no', fields)))).toEqual(expected)
  })

  test('a hostile value is read as nothing', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('get')
        },
        getOwnPropertyDescriptor: () => {
          throw new Error('descriptor')
        },
      },
    )
    expect(read(hostile)).toEqual({ class: undefined })
    const cycle: { cause?: unknown } = {}
    cycle.cause = cycle
    expect(read(cycle)).toEqual({ class: undefined })
  })
})

describe('what a stream item says', () => {
  const openai = { model_provider: 'openai' }
  const generation = (finish?: string) =>
    new ChatGenerationChunk({
      text: '',
      message: new AIMessageChunk({ content: '', response_metadata: openai }),
      ...(finish && { generationInfo: { finish_reason: finish } }),
    })

  test.each([
    ['a text', new AIMessageChunk('Hi'), true, undefined],
    ['an empty chunk of OpenAI', new AIMessageChunk({ content: '', response_metadata: openai }), false, false],
    [
      'its last',
      new AIMessageChunk({ content: '', response_metadata: { ...openai, finish_reason: 'stop' } }),
      false,
      true,
    ],
    ['the same as callbacks get it', generation(), false, false],
    ['the last as callbacks get it', generation('stop'), false, true],
    [
      'the last of the Responses API',
      new AIMessageChunk({ content: [], response_metadata: { ...openai, status: 'completed' } }),
      false,
      true,
    ],
    [
      'the first of Anthropic',
      new AIMessageChunk({ content: [], response_metadata: { model_provider: 'anthropic' } }),
      false,
      false,
    ],
    [
      'the last of Anthropic',
      new AIMessageChunk({ content: [], additional_kwargs: { stop_reason: 'end_turn' } }),
      false,
      true,
    ],
    [
      'a call of a tool',
      new AIMessageChunk({ content: '', tool_call_chunks: [{ name: 'f', args: '', index: 0 }] }),
      true,
      undefined,
    ],
    ['a pair with its metadata', [new AIMessageChunk('Hi'), { langgraph_node: 'ask' }], true, undefined],
    ['a whole message', new AIMessage('Hi'), true, undefined],
    ['a text of a parser', 'Hi', true, undefined],
    ['an object of a parser', { city: 'Ulm' }, undefined, undefined],
  ])('%s', (_name, item, content, end) => {
    expect([langchain.isContent?.(item), langchain.isEnd?.(item)]).toEqual([content, end])
  })
})
