import { generateText, streamText, wrapLanguageModel } from 'ai'
import { createHealth, isHeedError } from 'heed'
import { heedMiddleware, heedModel } from 'heed/integrations/ai-sdk'
import { fakeClock } from 'heed/testing'
import { expect, test } from 'vitest'
import { call, finish, scripted, start, stated, text } from './scripted.ts'

const well = [start, ...text('Hi'), finish()]
const quick = { backoff: () => 0 }

test('one model is asked again, for answers and streams', async () => {
  const model = scripted('flaky', stated('transient'), well)
  const wrapped = wrapLanguageModel({ model, middleware: heedMiddleware(quick) })
  const result = await generateText({ model: wrapped, prompt: 'Hi', maxRetries: 0 })
  expect([result.text, result.providerMetadata?.['heed']]).toEqual([
    'Hi',
    { candidate: 'flaky-provider.chat/flaky', provider: 'flaky-provider', attempts: 2 },
  ])
  const stream = scripted('flaky', [start, { type: 'error', error: stated('transient') }], well)
  const streamed = streamText({
    model: wrapLanguageModel({ model: stream, middleware: heedMiddleware(quick) }),
    prompt: 'Hi',
    maxRetries: 0,
  })
  expect(await streamed.text).toBe('Hi')
  expect(stream.doStreamCalls).toHaveLength(2)
})

test("the producer's wait is a floor, for every call of the model", async () => {
  const clock = fakeClock()
  const times: number[] = []
  const model = scripted('busy', stated('transient', { retry_after_secs: 30 }), well)
  const middleware = heedMiddleware({ clock, random: () => 0 })
  middleware.health.on('attempt', () => times.push(clock.now()))
  const wrapped = wrapLanguageModel({ model, middleware })
  await clock.run(wrapped.doGenerate(call))
  expect(times).toEqual([0, 30_000])
})

test('a refused credential pauses until somebody answers, for every model of the middleware', async () => {
  const middleware = heedMiddleware()
  middleware.health.on('auth_prompt', ({ provider }) => queueMicrotask(() => middleware.auth.resolve(provider)))
  for (const name of ['one', 'two']) {
    const model = scripted(name, stated('auth_required'), well)
    const { text: said } = await generateText({
      model: wrapLanguageModel({ model, middleware }),
      prompt: 'Hi',
      maxRetries: 0,
    })
    expect(said).toBe('Hi')
  }
})

test('the parameters that other middlewares made reach the model, with the signal of the attempt', async () => {
  const model = scripted('one', well)
  const hotter = { transformParams: async ({ params }: { params: typeof call }) => ({ ...params, temperature: 1 }) }
  await wrapLanguageModel({ model, middleware: [hotter, heedMiddleware()] }).doGenerate(call)
  expect(model.doGenerateCalls[0]).toMatchObject({ temperature: 1, prompt: call.prompt })
  expect(model.doGenerateCalls[0]?.abortSignal).toBeInstanceOf(AbortSignal)
})

test('wrapped models in a chain do not multiply attempts', async () => {
  const model = scripted('dead', stated('transient'))
  const wrapped = wrapLanguageModel({ model, middleware: heedMiddleware(quick) })
  const chain = heedModel({ candidates: [wrapped], ...quick })
  const error = await chain.doGenerate(call).then(undefined, (thrown: unknown) => thrown)
  expect(isHeedError(error)).toBe(true)
  expect(model.doGenerateCalls).toHaveLength(3)
})

test('its options are checked when it is made; a health may be shared', () => {
  expect(() => heedMiddleware({ attempts: { perTarget: 0 } })).toThrow(/attempts\.perTarget/)
  expect(() => heedMiddleware({ retries: 3 } as never)).toThrow(/retries/)
  const health = createHealth()
  expect(heedMiddleware({ health }).health).toBe(health)
})
