import type { Model, ModelRequest, StreamEvent } from '@openai/agents-core'
import { HeedError, isHeedError } from 'heed'
import { type HeedModel, heedModel } from 'heed/integrations/openai-agents'
import { describe, expect, test } from 'vitest'
import { leapingClock } from '../../replay/leaping-clock.ts'
import { WALL_MS } from '../kit/stage.ts'
import { requestOf, textDelta } from './fakes.ts'

const producer = {
  classify: (raw: unknown) => (raw as { told?: object }).told as { class: string | undefined } | undefined,
}

/** A model that fails, before its first event or after content. */
function failing(error: unknown, afterContent = false): Model {
  return {
    getResponse: () => Promise.reject(error),
    async *getStreamedResponse(): AsyncGenerator<StreamEvent> {
      yield { type: 'response_started' }
      if (afterContent) yield textDelta('Hel')
      throw error
    },
  }
}

function over(model: Model, options: object = {}): HeedModel {
  const clock = leapingClock(WALL_MS)
  return heedModel({ candidates: [model], producer, clock, random: () => 0, backoff: () => 0, ...options })
}

async function adviceOn(model: HeedModel, stream: boolean): Promise<{ error: unknown; advice: unknown }> {
  const request: ModelRequest = requestOf('Hello')
  const error = await (stream ? drain(model, request) : model.getResponse(request)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { error, advice: await model.getRetryAdvice?.({ request, error, stream, attempt: 1 }) }
}

async function drain(model: HeedModel, request: ModelRequest): Promise<void> {
  for await (const _ of model.getStreamedResponse(request));
}

const told = (classification: object): Error => Object.assign(new Error('no'), { told: classification })

describe('what a heed model says to the runner of an error', () => {
  test.each([false, true])('one that heed gave up on is not to be repeated, streamed: %s', async (stream) => {
    const cause = Object.assign(told({ class: 'transient', retryAfterSecs: 7 }), { status: 503, code: 'ECONNRESET' })
    const { error, advice } = await adviceOn(over(failing(cause)), stream)
    expect(isHeedError(error)).toBe(true)
    expect(advice).toEqual({
      suggested: false,
      reason: (error as Error).message,
      retryAfterMs: 7_000,
      normalized: {
        statusCode: undefined,
        retryAfterMs: undefined,
        errorCode: 'attempts_spent',
        isNetworkError: false,
      },
    })
  })

  test.each([false, true])('an ambiguous one is unsafe to repeat, streamed: %s', async (stream) => {
    const cause = told({ class: 'transient', ambiguous: true })
    const { error, advice } = await adviceOn(over(failing(cause)), stream)
    expect(error).toBe(cause)
    expect(advice).toMatchObject({ suggested: false, replaySafety: 'unsafe' })
    expect(advice).not.toHaveProperty('responseStarted')
  })

  test('one after content is unsafe to repeat, and the response had begun', async () => {
    const cause = told({ class: 'transient', retryAfterSecs: 2 })
    const { error, advice } = await adviceOn(over(failing(cause, true)), true)
    expect(error).toBe(cause)
    expect(advice).toMatchObject({
      suggested: false,
      replaySafety: 'unsafe',
      responseStarted: true,
      retryAfterMs: 2_000,
    })
  })

  test.each([
    ['attempt_timeout', { attemptTimeoutMs: 5 }],
    ['timeout', { timeoutMs: 5 }],
  ])('%s left an attempt open', async (reason, options) => {
    const model = over({ ...failing(undefined), getResponse: () => new Promise(() => undefined) }, options)
    const { error, advice } = await adviceOn(model, false)
    expect(error).toMatchObject({ reason })
    expect(advice).toMatchObject({ suggested: false, replaySafety: 'unsafe' })
  })

  test('what the SDK itself marks as unsafe is ambiguous, and tried again only where that does no harm', async () => {
    const marked = () => Object.assign(new Error('no'), { unsafeToReplay: true, responseStarted: true })
    const { advice } = await adviceOn(over(failing(marked())), false)
    expect(advice).toMatchObject({ suggested: false, replaySafety: 'unsafe', responseStarted: true })
    const { error } = await adviceOn(over(failing(marked()), { idempotent: true }), false)
    expect(error).toMatchObject({ reason: 'attempts_spent', class: 'transient' })
  })

  test('a class that heed does not know is the policy’s to judge, and its hint a floor', async () => {
    const cause = Object.assign(new Error('no'), { class: 'sky_fell', retry_after_secs: 3 })
    const { error, advice } = await adviceOn(over(failing(cause)), false)
    expect(error).toBe(cause)
    expect(advice).toEqual({ reason: 'heed: class sky_fell', retryAfterMs: 3_000 })
  })

  test.each([new Error('no'), 'no', undefined])('of %s it says nothing', async (cause) => {
    expect((await adviceOn(over(failing(cause)), false)).advice).toBeUndefined()
  })

  test('the error of another copy of heed reads the same', async () => {
    const error = new HeedError({ reason: 'idle_timeout', attempts: [] })
    const advice = await over(failing(error)).getRetryAdvice?.({
      request: requestOf('Hello'),
      error,
      stream: true,
      attempt: 1,
    })
    expect(advice).toMatchObject({ suggested: false, replaySafety: 'unsafe', responseStarted: true })
  })
})
