import { APICallError, TypeValidationError } from '@ai-sdk/provider'
import { aiSdk } from 'heed/producers/ai-sdk'
import { describe, expect, test } from 'vitest'

const env = { nowMs: 0 }
const made = Symbol.for('vercel.ai.providerStreamError')

/** What a model object of the SDK makes of an error event: the API's words with a status that it guesses. */
const guessed = (data: object, statusCode: number): object =>
  Object.defineProperty({ ...data, statusCode, isRetryable: statusCode >= 500, data }, made, { value: true })

describe('parts', () => {
  test.each([
    { type: 'ping' },
    { type: 'source', sourceType: 'url', id: '1', url: 'https://example.com' },
    { type: 'custom', kind: 'a.b' },
    { type: 'text-end', id: '0' },
    { type: 'reasoning-end', id: '0' },
    { type: 'tool-input-start', id: '0', toolName: 'f' },
    { type: 'tool-input-delta', id: '0', delta: '' },
    { type: 'tool-input-end', id: '0' },
  ])('$type says nothing of the answer', (part) => {
    expect([aiSdk.isContent?.(part), aiSdk.isEnd?.(part)]).toEqual([false, false])
  })

  test.each([
    { type: 'tool-result', toolCallId: '0', toolName: 'f', result: {} },
    { type: 'tool-approval-request', approvalId: '1', toolCallId: '0' },
    { type: 'reasoning-file', mediaType: 'image/png' },
    { type: 'file', mediaType: 'image/png' },
  ])('$type is content', (part) => {
    expect(aiSdk.isContent?.(part)).toBe(true)
  })

  test('an end is an end in the words of every version, and a cut is none', () => {
    const ends = (finishReason: unknown) => aiSdk.isEnd?.({ type: 'finish', finishReason })
    expect([ends('stop'), ends({ unified: 'stop', raw: 'end_turn' })]).toEqual([true, true])
    expect([ends('interrupted'), ends({ unified: 'interrupted', raw: undefined })]).toEqual([false, false])
  })

  test('a finish that says error is a failure in the words of every version, and so is a whole answer without content', () => {
    for (const finishReason of ['error', { unified: 'error', raw: undefined }]) {
      expect(aiSdk.inspect({ type: 'finish', finishReason }, env)).toMatchObject({ class: undefined })
      expect(aiSdk.inspect({ content: [], finishReason }, env)).toMatchObject({ class: undefined })
      expect(aiSdk.inspect({ content: [{ type: 'text', text: 'Hi' }], finishReason }, env)).toBeUndefined()
    }
  })
})

describe('what a model object made of an error event', () => {
  test('counts by what the API sent', () => {
    const overloaded = { type: 'overloaded_error', message: 'Overloaded' }
    expect(aiSdk.inspect({ type: 'error', error: guessed(overloaded, 529) }, env)?.class).toBe('transient')
    const quota = { type: 'insufficient_quota', code: 'insufficient_quota', message: 'x' }
    expect(aiSdk.inspect({ type: 'error', error: guessed(quota, 429) }, env)?.class).toBe('permanent')
  })

  test('and not by a guessed status: a code that nobody knows has no class', () => {
    const unheard = { type: 'unheard_of', code: 'unheard_of', message: 'x' }
    expect(aiSdk.inspect({ type: 'error', error: guessed(unheard, 500) }, env)?.class).toBeUndefined()
  })
})

describe('a 200 that is no answer', () => {
  const refused = (body: object): APICallError => {
    const issue = { code: 'invalid_type', expected: 'array', path: ['choices'], message: 'Invalid input' }
    const cause = new TypeValidationError({ value: body, cause: Object.assign(new Error('x'), { issues: [issue] }) })
    return new APICallError({
      message: 'Invalid JSON response',
      url: 'http://127.0.0.1/v1/chat/completions',
      requestBodyValues: {},
      statusCode: 200,
      responseBody: JSON.stringify(body),
      cause,
    })
  }

  test('is read by its body, and not by the codes of the validator that found it out', () => {
    const read = (code: string) => aiSdk.classify(refused({ error: { message: 'x', type: 'x', code } }), env)?.class
    expect([read('server_error'), read('insufficient_quota')]).toEqual(['transient', 'permanent'])
    expect(aiSdk.classify(refused({ hello: 1 }), env)?.class).toBeUndefined()
  })

  test('in a stream is ambiguous, unless it says what is wrong', () => {
    const chunk = (value: unknown) => new TypeValidationError({ value, cause: new Error('x') })
    expect(aiSdk.classify(chunk({ hello: 1 }), env)).toMatchObject({ class: undefined, ambiguous: true })
    expect(aiSdk.classify(chunk({ error: { code: 'insufficient_quota' } }), env)?.class).toBe('permanent')
  })
})
