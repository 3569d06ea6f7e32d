import { AsyncLocalStorage } from 'node:async_hooks'
import type { Model, ModelRequest, StreamEvent } from '@openai/agents-core'
import { heedModel } from 'heed/integrations/openai-agents'
import { fakeClock } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import {
  chunk,
  doneWith,
  eventsOf,
  messageOf,
  raw,
  refusal,
  refusing,
  requestOf,
  speaking,
  streaming,
  textDelta,
} from './fakes.ts'

describe('a streamed answer', () => {
  test('has one preamble, whoever began before', async () => {
    const candidates = [
      { id: 'a', model: refusing(refusal('permanent')) },
      { id: 'b', model: speaking('Hi') },
    ]
    const events = await eventsOf(heedModel({ candidates }))
    expect(events.map(({ type }) => type)).toEqual(['response_started', 'output_text_delta', 'response_done'])
    expect(events.at(-1)).toMatchObject({ response: { providerData: { heed: { candidate: 'b', attempts: 2 } } } })
  })

  const call = { tool_calls: [{ index: 0, id: 'call_1', function: { name: 'charge', arguments: '{}' } }] }
  test.each<[string, StreamEvent]>([
    ['text', textDelta('Hel')],
    ['a tool call', chunk(call)],
    ['reasoning', chunk({ reasoning: 'Hm' })],
    ['reasoning of the Responses API', raw({ type: 'response.reasoning_summary_text.delta', delta: 'Hm' })],
    ['arguments of the Responses API', raw({ type: 'response.function_call_arguments.delta', delta: '{' })],
    ['a whole answer', doneWith(messageOf('Hi'))],
  ])('%s commits: what fails then is not tried again', async (_name, content) => {
    const cut = refusal('transient')
    const candidates = [
      { id: 'a', model: streaming(content, cut) },
      { id: 'b', model: speaking('Hi') },
    ]
    const seen: StreamEvent[] = []
    const consume = async (): Promise<void> => {
      for await (const event of heedModel({ candidates }).getStreamedResponse(requestOf('Hello'))) seen.push(event)
    }
    await expect(consume()).rejects.toBe(cut)
    expect(seen.map(({ type }) => type)).toEqual(['response_started', content.type])
  })

  test.each<[string, StreamEvent]>([
    ['an empty text', textDelta('')],
    ['a chunk with a role alone', chunk({ role: 'assistant', content: '' })],
    ['an event of the Responses API without content', raw({ type: 'response.in_progress', response: { output: [] } })],
    ['a raw event that nobody can read', raw({ colour: 'blue' })],
  ])('%s does not', async (_name, preamble) => {
    const candidates = [
      { id: 'a', model: streaming(preamble, refusal('permanent')) },
      { id: 'b', model: speaking('Hi') },
    ]
    const events = await eventsOf(heedModel({ candidates }))
    expect(events.map(({ type }) => type)).toEqual(['response_started', 'output_text_delta', 'response_done'])
  })

  test('half an answer does not pass for a whole, though the SDK’s model says that it is done', async () => {
    const model = heedModel({
      candidates: [streaming(chunk({ content: 'Hel' }), textDelta('Hel'), doneWith(messageOf('Hel')))],
    })
    const seen: string[] = []
    const consume = async (): Promise<void> => {
      for await (const { type } of model.getStreamedResponse(requestOf('Hello'))) seen.push(type)
    }
    await expect(consume()).rejects.toMatchObject({ reason: 'incomplete_stream' })
    expect(seen).toEqual(['response_started', 'model', 'output_text_delta'])
  })

  test('a model that stops without saying that it is done has not finished', async () => {
    await expect(eventsOf(heedModel({ candidates: [streaming(textDelta('Hel'))] }))).rejects.toMatchObject({
      reason: 'incomplete_stream',
    })
  })

  test('a consumer that is slow is waited for', async () => {
    let made = 0
    const model: Model = {
      ...speaking(''),
      async *getStreamedResponse() {
        for (; made < 100; made += 1) yield textDelta('x')
        yield doneWith(messageOf('x'))
      },
    }
    let read = 0
    for await (const _ of heedModel({ candidates: [model] }).getStreamedResponse(requestOf('Hello'))) {
      read += 1
      await new Promise((resolve) => setImmediate(resolve))
      expect(made).toBeLessThanOrEqual(read)
    }
    expect(read).toBe(101)
  })

  test('the consumer’s leaving reaches the model', async () => {
    let closed = false
    const model: Model = {
      ...speaking(''),
      async *getStreamedResponse() {
        try {
          for (;;) yield textDelta('x')
        } finally {
          closed = true
        }
      },
    }
    for await (const _ of heedModel({ candidates: [model] }).getStreamedResponse(requestOf('Hello'))) break
    // It is told at once, through the adapter's own generator, and not waited for.
    await new Promise(setImmediate)
    expect(closed).toBe(true)
  })
})

describe('an attempt', () => {
  test.each([false, true])('runs in the async context of its call, whoever wakes it, streamed: %s', async (stream) => {
    const context = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const note = (): void => {
      seen.push(context.getStore())
    }
    let asked = 0
    const failing = (): void => {
      note()
      asked += 1
      if (asked < 3) throw refusal('transient')
    }
    const base = speaking('Hi')
    const spying: Model = {
      getResponse: async (request) => {
        failing()
        return base.getResponse(request)
      },
      async *getStreamedResponse(request) {
        try {
          failing()
          for await (const event of base.getStreamedResponse(request)) {
            yield event
            note()
          }
        } finally {
          note()
        }
      },
    }
    const clock = fakeClock()
    const model = heedModel({ candidates: [spying], clock })
    const ask = (): Promise<unknown> => (stream ? eventsOf(model) : model.getResponse(requestOf('Hello')))
    await clock.run(context.run('its own', ask))
    expect(asked).toBe(3)
    expect(new Set(seen)).toEqual(new Set(['its own']))
  })

  test('that was cut by its time, too', async () => {
    const context = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const stalling: Model = {
      ...speaking('Hi'),
      getResponse: (request) => {
        seen.push(context.getStore())
        return seen.length < 3 ? new Promise(() => undefined) : speaking('Hi').getResponse(request)
      },
    }
    const clock = fakeClock()
    const model = heedModel({ candidates: [stalling], clock, attemptTimeoutMs: 10, idempotent: true })
    await clock.run(context.run('its own', () => model.getResponse(requestOf('Hello'))))
    expect(seen).toEqual(['its own', 'its own', 'its own'])
  })
})

describe('a request', () => {
  test('reaches the model as it was made, with the attempt’s signal and the mark that repeats are another’s', async () => {
    const asked: ModelRequest[] = []
    const _internal = { tracingParent: 'span' }
    const request = { ...requestOf('Hello', { previousResponseId: 'resp_1' }), _internal }
    await heedModel({ candidates: [speaking('Hi', asked)] }).getResponse(request)
    const { signal, ...rest } = asked[0] as ModelRequest & { _internal: object }
    expect(signal).toBeInstanceOf(AbortSignal)
    expect(rest).toEqual({ ...request, _internal: { tracingParent: 'span', runnerManagedRetry: true } })
    // The runner counts the tokens of failed attempts under this object.
    expect(rest._internal).toBe(_internal)
  })

  test('is marked though what it keeps is frozen', async () => {
    const asked: ModelRequest[] = []
    const _internal = Object.freeze({ tracingParent: 'span' })
    await heedModel({ candidates: [speaking('Hi', asked)] }).getResponse({ ...requestOf('Hello'), _internal } as never)
    expect(asked).toMatchObject([{ _internal: { tracingParent: 'span', runnerManagedRetry: true } }])
  })

  test('that is too large for every window is reduced', async () => {
    const asked: ModelRequest[] = []
    const small = { id: 'small', contextWindow: 10, model: speaking('Hi', asked) }
    const model = heedModel({
      candidates: [small],
      inputTokens: ({ input }) => input.length,
      reduce: (request) => ({ ...request, input: 'short' }),
    })
    await model.getResponse(requestOf('a text of more than ten'))
    expect(asked.map(({ input }) => input)).toEqual(['short'])
  })

  test('goes to the model that a function makes of the attempt’s credential', async () => {
    const keys: unknown[] = []
    const model = heedModel({
      candidates: [
        {
          id: 'a',
          credentials: ['key-1', 'key-2'],
          model: ({ credential }) => {
            keys.push(credential)
            return credential === 'key-1' ? refusing(refusal('auth_required')) : speaking('Hi')
          },
        },
      ],
    })
    await model.getResponse(requestOf('Hello'))
    expect(keys).toEqual(['key-1', 'key-2'])
  })
})
