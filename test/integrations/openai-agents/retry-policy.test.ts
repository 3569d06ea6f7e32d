import { Agent, type RetryPolicyContext } from '@openai/agents-core'
import { OpenAIChatCompletionsModel } from '@openai/agents-openai'
import { type HeedRetryPolicyOptions, heedRetryPolicy } from 'heed/integrations/openai-agents'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { inOrder, type Step, startProvider } from '../kit/provider-server.ts'
import { refusals } from '../kit/refusals.ts'
import { answer, refuse, resetBeforeHeaders } from '../kit/steps.ts'
import { refusal } from './fakes.ts'
import { runner } from './host-of.ts'

const { chat } = refusals

/** Runs an agent on a bare model of the SDK with the policy, against a server that takes the steps. */
async function play(steps: readonly Step[], options: HeedRetryPolicyOptions, stream: boolean) {
  const server = await startProvider(inOrder(...steps))
  try {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'sk-kit', maxRetries: 0 })
    const model = new OpenAIChatCompletionsModel(client, 'model-a')
    const retry = { maxRetries: 2, policy: heedRetryPolicy({ backoff: () => 0, random: () => 0, ...options }) }
    const agent = new Agent({ name: 'A', model, modelSettings: { retry } })
    if (!stream) return { text: (await runner.run(agent, 'Hello')).finalOutput, count: server.requests.length }
    const result = await runner.run(agent, 'Hello', { stream: true })
    await result.completed
    return { text: result.finalOutput, count: server.requests.length }
  } catch {
    return { text: 'failed', count: server.requests.length }
  } finally {
    await server.close()
  }
}

describe.each([false, true])('the runner’s own retries by the class, streamed: %s', (stream) => {
  test.each<[string, readonly Step[], HeedRetryPolicyOptions, object]>([
    ['transient is repeated', [refuse(chat.transient), answer('well')], {}, { text: 'well', count: 2 }],
    ['as often as the runner may', [refuse(chat.transient)], {}, { text: 'failed', count: 3 }],
    ['permanent is not', [refuse(chat.permanent), answer('well')], {}, { text: 'failed', count: 1 }],
    ['a spent quota is not', [refuse(chat.quotaExhausted), answer('well')], {}, { text: 'failed', count: 1 }],
    ['a refused credential is not', [refuse(chat.authRequired), answer('well')], {}, { text: 'failed', count: 1 }],
    ['an overflow is not', [refuse(chat.contextOverflow), answer('well')], {}, { text: 'failed', count: 1 }],
    ['an ambiguous one is not', [resetBeforeHeaders, answer('well')], {}, { text: 'failed', count: 1 }],
    ['but if it does no harm', [resetBeforeHeaders, answer('well')], { idempotent: true }, { text: 'well', count: 2 }],
    [
      'one whose wait is too long is not',
      [refuse(chat.transientWithHint), answer('well')],
      { maxWaitMs: 1_999 },
      { text: 'failed', count: 1 },
    ],
  ])('%s', async (_name, steps, options, ends) => {
    expect(await play(steps, options, stream)).toEqual(ends)
  })
})

describe('a decision of the policy', () => {
  const context = (error: unknown, rest: Partial<RetryPolicyContext> = {}): RetryPolicyContext => ({
    error,
    attempt: 1,
    maxRetries: 3,
    stream: false,
    normalized: { isNetworkError: false, isAbort: false },
    ...rest,
  })
  const decide = (error: unknown, options: HeedRetryPolicyOptions = {}, rest: Partial<RetryPolicyContext> = {}) =>
    heedRetryPolicy({ random: () => 0.5, backoff: ({ repeat }) => repeat * 100, ...options })(context(error, rest))

  test('waits the own backoff, which grows with the runner’s attempts', () => {
    expect(decide(refusal('transient'))).toMatchObject({ retry: true, delayMs: 100 })
    expect(decide(refusal('transient'), {}, { attempt: 3 })).toMatchObject({ retry: true, delayMs: 300 })
  })

  test('never comes before the hint, and spreads above it', () => {
    expect(decide(refusal('transient', { retry_after_secs: 2 }))).toMatchObject({ retry: true, delayMs: 2_100 })
    const long = () => 9_000
    expect(decide(refusal('transient', { retry_after_secs: 2 }), { backoff: long })).toMatchObject({ delayMs: 9_000 })
  })

  test('reads dates with the clock it was given', () => {
    const headers = { 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' }
    const error = Object.assign(new Error('busy'), { status: 503, headers })
    const clock = {
      now: () => 0,
      wallNow: () => Date.UTC(2026, 0, 1),
      setTimeout: () => 0,
      clearTimeout: () => undefined,
    }
    expect(decide(error, { clock, random: () => 0 })).toMatchObject({ retry: true, delayMs: 10_000 })
  })

  test('leaves alone what a layer below has given up, what has no class and what heed does not know', () => {
    expect(decide(refusal('transient', { exhausted: true }))).toMatchObject({ retry: false })
    expect(decide(new Error('no'))).toMatchObject({ retry: false })
    expect(decide(refusal('sky_fell'))).toMatchObject({ retry: false, reason: 'heed: class sky_fell' })
  })

  test.each<[string, Partial<RetryPolicyContext>]>([
    ['the runner’s timeout cut it', { replaySafety: 'unsafe' }],
    ['the model advises against it', { providerAdvice: { replaySafety: 'unsafe' } }],
    ['the response had begun', { responseStarted: true }],
  ])('%s: it may have been executed', (_name, rest) => {
    expect(decide(refusal('transient'), {}, rest)).toMatchObject({ retry: false })
    expect(decide(new Error('cut'), { idempotent: true }, rest)).toMatchObject({
      retry: true,
      approveUnsafeReplay: true,
    })
  })

  test.each([
    [{ maxWaitMs: -1 }, 'maxWaitMs'],
    [{ backoff: 3 }, 'backoff'],
    [{ producer: {} }, 'producer'],
    [{ idempotent: 'yes' }, 'idempotent'],
    [{ maxRetries: 3 }, 'maxRetries'],
  ])('%o is refused', (options, path) => {
    expect(() => heedRetryPolicy(options as HeedRetryPolicyOptions)).toThrow(path)
  })
})
