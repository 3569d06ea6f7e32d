import { gateway } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { type Classification, isHeedError } from 'heed'
import { heedModel } from 'heed/integrations/ai-sdk'
import { describe, expect, test } from 'vitest'
import { call, finish, scripted, start, stated, text } from './scripted.ts'

const well = [start, ...text('Hi'), finish()]
const metadataOf = (result: { providerMetadata?: Record<string, unknown> }): unknown =>
  result.providerMetadata?.['heed']

describe('wrong options are refused at construction, with the place and the fix', () => {
  const one = scripted('one', well)
  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ['no candidates', { candidates: [] }, /candidates/],
    ['no list', { candidates: one }, /candidates: give a list/],
    ['an id of the gateway', { candidates: ['openai/gpt-5'] }, /candidates\[0\].*gateway\('openai\/gpt-5'\)/],
    ['an id in a wrapper', { candidates: [one, { model: 'openai/gpt-5' }] }, /candidates\[1\].*gateway/],
    ['no model', { candidates: [{}] }, /candidates\[0\] is no such model/],
    ['a model of another kind', { candidates: [{ specificationVersion: 'v4', doEmbed() {} }] }, /candidates\[0\]/],
    ['an unknown specification', { candidates: [{ ...one, specificationVersion: 'v9' }] }, /specification v9/],
    ['two of one name', { candidates: [one, scripted('one', well)] }, /one-provider\.chat\/one/],
    ['an unknown option', { candidates: [one], maxRetries: 3 }, /maxRetries/],
    ['an unknown limit', { candidates: [one], attempts: { perTarget: 0 } }, /attempts\.perTarget/],
    ['a producer that is none', { candidates: [{ model: one, producer: {} }] }, /candidates.*producer/],
    ['a window of words', { candidates: [{ model: one, contextWindow: 'large' }] }, /contextWindow/],
  ]
  test.each(wrong)('%s', (_name, options, words) => {
    expect(() => heedModel(options as never)).toThrow(words)
    expect(() => heedModel(options as never)).toThrow(TypeError)
  })

  test('and a model of the gateway is none of them', () => {
    expect(heedModel({ candidates: [gateway('openai/gpt-5'), one] })).toMatchObject({ modelId: 'openai/gpt-5' })
  })
})

describe('a candidate', () => {
  test('is named by its model, and its provider is whose key it uses', async () => {
    const result = await heedModel({ candidates: [scripted('one', well)] }).doGenerate(call)
    expect(metadataOf(result)).toEqual({ candidate: 'one-provider.chat/one', provider: 'one-provider', attempts: 1 })
  })

  test('may be made anew for each attempt, of the credential to use', async () => {
    const used: string[] = []
    const keyed = (credential: unknown): MockLanguageModelV4 =>
      new MockLanguageModelV4({
        provider: 'keyed',
        modelId: 'one',
        doGenerate: async () => {
          used.push(String(credential))
          if (credential === 'spent') throw stated('auth_required')
          return scripted('one', well).doGenerate(call)
        },
      })
    const chain = heedModel({ candidates: [{ model: keyed, credentials: ['spent', 'good'] }] })
    expect(metadataOf(await chain.doGenerate(call))).toMatchObject({ attempts: 2 })
    expect(used).toEqual(['spent', 'good'])
  })

  test('may have a producer of its own, for what is thrown and for error parts; parts are read as the SDK has them', async () => {
    const read: unknown[] = []
    const producer = {
      classify: (raw: unknown): Classification | undefined => {
        read.push(raw)
        return (raw as { verdict?: string }).verdict === 'no' ? { class: 'permanent' } : undefined
      },
    }
    const refusing = scripted(
      'own',
      [start, { type: 'error', error: { verdict: 'no' } }],
      Object.assign(new Error(), { verdict: 'no' }),
    )
    const chain = heedModel({ candidates: [{ model: refusing, producer }, scripted('well', well)] })
    for (let at = 0; at < 2; at += 1) {
      const { stream } = await chain.doStream(call)
      const parts: string[] = []
      for await (const { type } of stream) parts.push(type)
      expect(parts).toEqual(well.map(({ type }) => type))
    }
    expect(read).toHaveLength(2)
  })
})

describe('one call', () => {
  test('says in providerOptions.heed that it may be made twice', async () => {
    const cut = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error(), { code: 'ECONNRESET' }),
    })
    const ask = (providerOptions?: { heed: { idempotent: boolean } }) =>
      heedModel({ candidates: [scripted('cut', cut, well)], backoff: () => 0 }).doGenerate({
        ...call,
        ...(providerOptions && { providerOptions }),
      })
    await expect(ask()).rejects.toBe(cut)
    expect(metadataOf(await ask({ heed: { idempotent: true } }))).toMatchObject({ attempts: 2 })
  })

  test('says how large its input is: a window known to be too small is not asked', async () => {
    const small = { model: scripted('small', well), contextWindow: 1_000 }
    const large = { model: scripted('large', well), contextWindow: 100_000 }
    const chain = heedModel({ candidates: [small, large] })
    const result = await chain.doGenerate({ ...call, providerOptions: { heed: { inputTokens: 5_000 } } })
    expect(metadataOf(result)).toMatchObject({ candidate: 'large-provider.chat/large', attempts: 1 })
  })

  test.each([{ retries: 3 }, { idempotent: 'yes' }, { timeoutMs: '5s' }])('is refused with %j', async (heed) => {
    const chain = heedModel({ candidates: [scripted('one', well)] })
    for (const ask of ['doGenerate', 'doStream'] as const) {
      await expect(chain[ask]({ ...call, providerOptions: { heed } })).rejects.toThrow(/providerOptions\.heed/)
    }
  })

  test('that overflows is made smaller by the `reduce` of the chain', async () => {
    const model = scripted('small', stated('context_overflow'), well)
    const chain = heedModel({
      candidates: [model],
      reduce: (options) => ({ ...options, prompt: options.prompt.slice(1) }),
    })
    const result = await chain.doGenerate({ prompt: [{ role: 'system', content: 'long' }, ...call.prompt] })
    expect(metadataOf(result)).toMatchObject({ attempts: 2 })
    expect(model.doGenerateCalls.map(({ prompt }) => prompt.length)).toEqual([2, 1])
  })

  test('is settled by its abort signal with its own reason, in a wait too, and the model hears of it', async () => {
    const controller = new AbortController()
    const model = scripted('busy', stated('transient', { retry_after_secs: 50 }))
    const chain = heedModel({ candidates: [model] })
    chain.health.on('retry', () => controller.abort(why))
    const why = new Error('enough')
    await expect(chain.doGenerate({ ...call, abortSignal: controller.signal })).rejects.toBe(why)
    expect(model.doGenerateCalls).toHaveLength(1)
    expect(model.doGenerateCalls[0]?.abortSignal?.reason).toBe(why)
  })
})

describe('addresses of files', () => {
  const supporting = (modelId: string, supportedUrls: Record<string, RegExp[]>) =>
    new MockLanguageModelV4({ modelId, supportedUrls: async () => supportedUrls })

  test('are handed on where every model takes them', async () => {
    const chain = heedModel({
      candidates: [
        supporting('a', { 'image/*': [/^https:/, /^gs:/], 'application/pdf': [/^https:/] }),
        supporting('b', { 'image/*': [/^https:/] }),
      ],
    })
    expect(await chain.supportedUrls).toEqual({ 'image/*': [/^https:/] })
  })
})

test('the health channel and the prompts are those of the chain', async () => {
  const model = scripted('locked', stated('auth_required'), well)
  const chain = heedModel({ candidates: [model] })
  chain.health.on('auth_prompt', ({ provider }) => queueMicrotask(() => chain.auth.resolve(provider)))
  expect(metadataOf(await chain.doGenerate(call))).toMatchObject({ attempts: 2 })
})

test("a serialized error holds nothing of the provider's words", async () => {
  const chain = heedModel({ candidates: [scripted('gone', stated('permanent', { responseBody: 'SECRET' }))] })
  const error = await chain.doGenerate(call).then(undefined, (thrown: unknown) => thrown)
  expect(isHeedError(error)).toBe(true)
  expect(JSON.stringify(error)).not.toMatch(/SECRET|from the producer/)
})
