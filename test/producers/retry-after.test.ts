import { describe, expect, test } from 'vitest'
import { producers } from '../../src/producers/index.ts'
import { collectHeaders } from '../../src/producers/kit/headers.ts'
import {
  type ResetUnit,
  readReset,
  readRetryAfter,
  readRetryAfterMs,
  readWholeRetryAfter,
  resetWait,
  statedWait,
} from '../../src/producers/retry-after.ts'

/** Sunday, 6 November 1994, 08:49:37 GMT, as RFC 9110 writes it in three ways. */
const nowMs = 784_111_777_000

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    ['60', 60],
    ['7999', 7_999],
    [' 30 ', 30],
    ['0.5', 0.5],
    ['1.25', 1.25],
    ['.5', 0.5],
    ['31536000', 31_536_000],
    ['Sun, 06 Nov 1994 08:49:47 GMT', 10],
    ['Sunday, 06-Nov-94 08:49:47 GMT', 10],
    ['Sun Nov  6 08:49:47 1994', 10],
    ['sun, 06 nov 1994 08:49:47 gmt', 10],
    ['Mon, 07 Nov 1994 08:49:37 GMT', 86_400],
    ['Sun, 06 Nov 1994 08:49:37 GMT', undefined],
    ['Sun, 06 Nov 1994 08:49:36 GMT', undefined],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 661_300_703],
    ['Thu, 29 Feb 1996 00:00:00 GMT', 41_440_223],
    ['Wed, 29 Feb 1995 00:00:00 GMT', undefined],
    ['Sun, 06 Foo 1994 08:49:47 GMT', undefined],
    ['Sun, 06 Nov 1994 24:00:00 GMT', undefined],
    ['-1', undefined],
    ['-0.5', undefined],
    ['+5', undefined],
    ['', undefined],
    [' ', undefined],
    ['soon', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['1_000', undefined],
    ['1,5', undefined],
    ['5, 7', undefined],
    ['1.2.3', undefined],
    ['7m12s', undefined],
    ['9'.repeat(400), undefined],
  ])('%j is %s', (value, secs) => {
    expect(readRetryAfter(value, nowMs)).toBe(secs)
  })

  test.each([
    ['60', 60],
    ['0', 0],
    ['Sun, 06 Nov 1994 08:49:47 GMT', 10],
    ['1.5', undefined],
    ['.5', undefined],
    ['7m12s', undefined],
    ['-1', undefined],
  ])('as Codex reads it, %j is %s', (value, secs) => {
    expect(readWholeRetryAfter(value, nowMs)).toBe(secs)
  })

  test("a date counts from the answer's own clock where it states one", () => {
    expect(readRetryAfter('Sun, 06 Nov 1994 08:49:47 GMT', 0, 'Sun, 06 Nov 1994 08:49:44 GMT')).toBe(3)
    expect(readRetryAfter('Sun, 06 Nov 1994 08:49:47 GMT', nowMs, 'Sun, 06 Nov 1994 09:00:00 GMT')).toBeUndefined()
    expect(readRetryAfter('Sun, 06 Nov 1994 08:49:47 GMT', nowMs, 'no date')).toBe(10)
  })

  test.each([
    ['579', 0.579],
    ['0', 0],
    ['1500.5', 1.5005],
    ['-1', undefined],
    ['1s', undefined],
  ])('retry-after-ms %j is %s', (value, secs) => {
    expect(readRetryAfterMs(value)).toBe(secs)
  })
})

describe('resets', () => {
  test.each<[ResetUnit, string, number | undefined]>([
    ['duration', '7m12s', 432],
    ['duration', '579ms', 0.579],
    ['duration', '6m0s', 360],
    ['duration', '2m59.56s', 179.56],
    ['duration', '7.66s', 7.66],
    ['duration', '71h15m27.5s', 256_527.5],
    ['duration', '1h', 3_600],
    ['duration', '1d2h', 93_600],
    ['duration', '1 hour 5 minutes', 3_900],
    ['duration', '12', 12],
    ['duration', '0s', undefined],
    ['duration', '0', undefined],
    ['duration', '1h30', undefined],
    ['duration', '12 apples', undefined],
    ['duration', 's', undefined],
    ['duration', '-5s', undefined],
    ['epoch-seconds', '784111787', 10],
    ['epoch-seconds', '784111777', undefined],
    ['epoch-seconds', '784111000', undefined],
    ['epoch-seconds', 'soon', undefined],
    ['epoch-ms', '784111787500', 10.5],
    ['epoch-ms', '784111776999', undefined],
    ['iso', '1994-11-06T08:49:47Z', 10],
    ['iso', '1994-11-06T08:49:47.250Z', 10.25],
    ['iso', '1994-11-06T09:49:47+01:00', 10],
    ['iso', '1994-11-06T03:19:47-0530', 10],
    ['iso', '1994-11-06 08:49:47Z', 10],
    ['iso', '1994-11-06T08:49:47', undefined],
    ['iso', '1994-11-06T08:49:30Z', undefined],
    ['iso', '1994-13-06T08:49:47Z', undefined],
    ['any', '30', 30],
    ['any', '1784111777', 1_000_000_000],
    ['any', '1784111777000', 1_000_000_000],
    ['any', '7m12s', 432],
    ['any', '1994-11-06T08:49:47Z', 10],
    ['any', 'Sun, 06 Nov 1994 08:49:47 GMT', 10],
    ['any', 'later', undefined],
  ])('%s %j is %s', (unit, value, secs) => {
    const found = readReset(value, unit, nowMs)
    if (secs === undefined) expect(found).toBeUndefined()
    else expect(found).toBeCloseTo(secs, 9)
  })

  const two = [
    { reset: 'a-reset', remaining: 'a-left', unit: 'duration' },
    { reset: 'b-reset', remaining: 'b-left', unit: 'duration' },
  ] as const
  test.each([
    [{ 'a-reset': '5s', 'a-left': '0', 'b-reset': '90s', 'b-left': '12' }, 5],
    [{ 'a-reset': '5s', 'a-left': '0', 'b-reset': '90s', 'b-left': '0' }, 90],
    [{ 'a-reset': '5s', 'a-left': '0', 'b-reset': '90s' }, 5],
    [{ 'a-reset': '5s', 'b-reset': '90s' }, 90],
    [{ 'a-reset': '5s', 'a-left': '1' }, undefined],
    [{ 'a-reset': '5s', 'a-left': 'many' }, 5],
    [{ 'a-reset': '5s', 'a-left': '-1' }, 5],
    [{}, undefined],
  ])('%j wait %s', (headers, secs) => {
    expect(resetWait(collectHeaders([headers]), two, nowMs)).toBe(secs)
  })

  test('beside an overload only a limit that is known to be spent counts', () => {
    const spent = collectHeaders([{ 'a-reset': '5s', 'a-left': '0' }])
    expect(resetWait(spent, two, nowMs, true)).toBe(5)
    expect(resetWait(collectHeaders([{ 'a-reset': '5s' }]), two, nowMs, true)).toBeUndefined()
  })
})

describe('which hint counts', () => {
  const hint = (id: keyof typeof producers, raw: unknown): number | undefined =>
    producers[id].classify(raw, { nowMs })?.retryAfterSecs

  test('the finer header, and the other where it cannot be read', () => {
    expect(statedWait(collectHeaders([{ 'Retry-After': '60', 'RETRY-AFTER-MS': '1500' }]), nowMs)).toBe(1.5)
    expect(statedWait(collectHeaders([{ 'Retry-After': '60', 'retry-after-ms': 'soon' }]), nowMs)).toBe(60)
  })

  test('an explicit hint wins over a reset', () => {
    const headers = { 'retry-after': '3', 'x-ratelimit-reset-tokens': '6m0s', 'x-ratelimit-remaining-tokens': '0' }
    expect(hint('openai', { status: 429, headers })).toBe(3)
    expect(hint('openai', { status: 429, headers: { ...headers, 'retry-after': 'soon' } })).toBe(360)
  })

  test('OpenAI Responses and ChatGPT read only what Codex reads', () => {
    const headers = {
      'retry-after-ms': '1500',
      'x-ratelimit-reset-tokens': '6m0s',
      'x-codex-primary-reset-after-seconds': '9',
    }
    const body = (message: string): unknown => ({ error: { code: 'rate_limit_exceeded', message } })
    for (const id of ['openai-responses', 'openai-chatgpt'] as const) {
      expect(hint(id, { status: 429, headers })).toBeUndefined()
      expect(hint(id, { status: 429, headers: { ...headers, 'retry-after': '1.5' } })).toBeUndefined()
      expect(hint(id, { status: 429, headers: { ...headers, 'retry-after': '2' } })).toBe(2)
      expect(hint(id, { status: 429, body: body('Please try again in 28ms.') })).toBe(0.028)
      expect(hint(id, { status: 429, body: body('Please TRY AGAIN IN 1.5 seconds.') })).toBe(1.5)
      expect(hint(id, { status: 429, body: body('Please try again in 7m12s.') })).toBeUndefined()
      expect(
        hint(id, { status: 503, body: { error: { code: 'server_is_overloaded', message: 'try again in 5s' } } }),
      ).toBeUndefined()
    }
  })

  test("a usage limit's own reset counts, with the clock only where it must", () => {
    const error = { type: 'usage_limit_reached', resets_at: 784_111_787 }
    expect(hint('openai-chatgpt', { status: 429, body: { error } })).toBe(10)
    expect(hint('openai-chatgpt', { status: 429, body: { error: { ...error, resets_in_seconds: 9 } } })).toBe(9)
    expect(hint('openai-chatgpt', { status: 429, body: { error: { ...error, resets_at: 5 } } })).toBeUndefined()
    expect(
      hint('openai-chatgpt', { status: 429, body: { error: { ...error, resets_at: 'soon', resets_in_seconds: -4 } } }),
    ).toBeUndefined()
  })

  test('only a window that is rejected counts, in the headers of a subscription', () => {
    const headers = {
      'anthropic-ratelimit-unified-5h-status': 'rejected',
      'anthropic-ratelimit-unified-5h-reset': '784111877',
      'anthropic-ratelimit-unified-7d-status': 'allowed',
      'anthropic-ratelimit-unified-7d-reset': '784611777',
    }
    const secs = hint('anthropic', { status: 429, headers: { ...headers, date: 'Sun, 06 Nov 1994 08:49:37 GMT' } })
    expect(secs).toBe(100)
  })

  test('epoch milliseconds inside a body, as a gateway puts them', () => {
    const metadata = { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '784111807000' } }
    expect(
      hint('openrouter', { status: 429, body: { error: { code: 429, message: 'free-models-per-day', metadata } } }),
    ).toBe(30)
  })

  test.each(['permanent', 'auth_required', 'context_overflow'])('a failure that is %s has none', (kind) => {
    const codes = {
      permanent: 'insufficient_quota',
      auth_required: 'invalid_api_key',
      context_overflow: 'context_length_exceeded',
    }
    const body = { error: { code: codes[kind as keyof typeof codes], message: 'try again in 5s' } }
    const found = producers.openai.classify({ status: 429, headers: { 'retry-after': '5' }, body }, { nowMs })
    expect(found?.class).toBe(kind)
    expect(found).not.toHaveProperty('retryAfterSecs')
  })
})
