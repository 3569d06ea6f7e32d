import { APICallError } from '@ai-sdk/provider'
import { embed, generateText, streamText } from 'ai'
import { MockEmbeddingModelV4 } from 'ai/test'
import { isHeedError } from 'heed'
import { heedEmbeddingModel, heedModel } from 'heed/integrations/ai-sdk'
import { fakeClock } from 'heed/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call, finish, partsOf, scripted, start, stated, text } from './scripted.ts'

const warned: string[] = []
const slot = globalThis as { AI_SDK_LOG_WARNINGS?: unknown }

beforeEach(() => {
  warned.length = 0
  slot.AI_SDK_LOG_WARNINGS = ({ warnings }: { warnings: { message: string }[] }): void => {
    warned.push(...warnings.map(({ message }) => message))
  }
  vi.useFakeTimers()
})
afterEach(() => {
  slot.AI_SDK_LOG_WARNINGS = undefined
  vi.useRealTimers()
})

/** What the SDK repeats by itself, of a class that heed passes on as it came. */
const inviting = (): Error => {
  const error = new APICallError({ message: 'x', url: '', requestBodyValues: {}, isRetryable: true })
  return Object.assign(error, { class: 'from_the_future' })
}

/** Lets the SDK wait for as long as it wants to. */
async function atOnce<T>(work: PromiseLike<T>): Promise<T | Error> {
  const settled = Promise.resolve(work).then(undefined, (error: Error) => error)
  await vi.runAllTimersAsync()
  return settled
}

describe('the retries of the SDK', () => {
  test('do not follow what heed throws, even where they were left on', async () => {
    const model = scripted('busy', stated('transient'))
    const error = await atOnce(
      generateText({ model: heedModel({ candidates: [model], backoff: () => 0 }), prompt: 'Hi' }),
    )
    expect(isHeedError(error)).toBe(true)
    expect(model.doGenerateCalls).toHaveLength(3)
    expect(warned).toEqual([])
  })

  test.each(['generateText', 'streamText'])('are noticed in %s, and warned of once', async (how) => {
    const model = scripted('odd', inviting())
    const chain = heedModel({ candidates: [model] })
    for (let round = 0; round < 2; round += 1) {
      const options = { model: chain, prompt: 'Hi', onError: () => undefined }
      await atOnce<unknown>(how === 'generateText' ? generateText(options) : streamText(options).text)
    }
    expect(model.doGenerateCalls.length + model.doStreamCalls.length).toBe(6)
    expect(warned).toEqual([expect.stringContaining('maxRetries: 0')])
  })

  test('of a stream are noticed too: streamRetries repeats what was already read', async () => {
    const cut = [start, ...text('attempt ').slice(0, 2), { type: 'error', error: stated('transient') } as const]
    const model = scripted('busy', [...cut, finish('error')])
    const chain = heedModel({ candidates: [model] })
    const result = streamText({ model: chain, prompt: 'Hi', streamRetries: 2, onError: () => undefined })
    await atOnce(result.text)
    expect(model.doStreamCalls.length).toBeGreaterThan(1)
    expect(warned).toEqual([expect.stringContaining('streamRetries')])
  })

  test('of an embedding model are noticed too', async () => {
    const model = new MockEmbeddingModelV4({ doEmbed: () => Promise.reject(inviting()) })
    await atOnce(embed({ model: heedEmbeddingModel({ candidates: [model] }), value: 'Hi' }))
    expect(warned).toHaveLength(1)
  })

  test('with the logger switched off, nothing is said; without one, the process says it', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    try {
      for (const [logger, count] of [
        [false, 0],
        [undefined, 1],
      ] as const) {
        slot.AI_SDK_LOG_WARNINGS = logger
        await atOnce(generateText({ model: heedModel({ candidates: [scripted('odd', inviting())] }), prompt: 'Hi' }))
        expect(warned).toHaveBeenCalledTimes(count)
      }
    } finally {
      warned.mockRestore()
    }
  })
})

describe('what is no retry', () => {
  test('is a call with another prompt, one after a success, and one after an abort', async () => {
    const [failing, well] = [inviting(), [start, ...text('Hi'), finish()]] as const
    const chain = heedModel({ candidates: [scripted('odd', failing, failing, well, failing)] })
    const ask = (prompt: string, abortSignal?: AbortSignal) =>
      generateText({ model: chain, prompt, maxRetries: 0, ...(abortSignal && { abortSignal }) }).catch(() => undefined)
    await ask('one')
    await ask('two')
    await ask('three')
    await ask('three')
    await ask('four', AbortSignal.abort())
    await ask('four')
    expect(warned).toEqual([])
  })

  test('is an attempt of a heed above, which asks again after a human has signed in', async () => {
    const inner = heedModel({
      candidates: [scripted('locked', stated('auth_required'), [start, ...text('Hi'), finish()])],
      auth: () => 'surface',
    })
    const outer = heedModel({ candidates: [{ id: 'inner', provider: 'inner', model: inner }] })
    outer.health.on('auth_prompt', ({ provider }) => {
      queueMicrotask(() => {
        for (const prompt of inner.auth.pending()) inner.auth.resolve(prompt.provider)
        outer.auth.resolve(provider)
      })
    })
    const answered = outer.doStream(call)
    await vi.runAllTimersAsync()
    expect((await partsOf((await answered).stream)).map(({ type }) => type)).toContain('text-delta')
    expect(warned).toEqual([])
  })
})

test('a hint of two minutes is a floor that no retry undercuts', async () => {
  const clock = fakeClock()
  const startedAt: number[] = []
  const model = scripted('busy', stated('transient', { retry_after_secs: 120 }), [start, ...text('Hi'), finish()])
  const chain = heedModel({ candidates: [model], maxWaitMs: 600_000, clock, random: () => 0 })
  chain.health.on('attempt', () => startedAt.push(clock.now()))
  vi.useRealTimers()
  await clock.run(chain.doGenerate(call))
  expect(startedAt).toEqual([0, 120_000])
})
