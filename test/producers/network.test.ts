import { describe, expect, test } from 'vitest'
import { producers } from '../../src/producers/index.ts'
import { env, verdictOf } from './answers.ts'

const failure = (code: string, more: object = {}): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(`${code}`), { code }, more) })

const verdict = (raw: unknown): unknown => verdictOf(producers['node-undici'].classify(raw, env))
const neverSent = { class: 'transient' }
const maybeSent = { class: null, ambiguous: true }

describe('never sent', () => {
  test.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'EPROTO',
  ])('%s', (code) => {
    expect(verdict(failure(code))).toEqual(neverSent)
  })

  test.each([
    ['ETIMEDOUT', { syscall: 'connect' }],
    ['ECONNRESET', { syscall: 'connect' }],
    ['ENOTFOUND', { erroredSysCall: 'getaddrinfo' }],
  ])('%s while connecting', (code, more) => {
    expect(verdict(failure(code, more))).toEqual(neverSent)
  })

  test('every address of a name refused', () => {
    const refused = (address: string): Error =>
      Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED' })
    const both = Object.assign(new AggregateError([refused('::1'), refused('127.0.0.1')]), { code: 'ECONNREFUSED' })
    expect(verdict(new TypeError('fetch failed', { cause: both }))).toEqual(neverSent)
  })

  test.each([
    'connect ECONNREFUSED 127.0.0.1:11434',
    'getaddrinfo EAI_AGAIN api.example.com',
    'Client network socket disconnected before secure TLS connection was established',
    'Cannot connect to API: Connect Timeout Error (attempted address: api.example.com:443, timeout: 10000ms)',
    '[Errno 111] Connection refused',
    '[Errno -2] Name or service not known',
  ])('told only in words: %s', (message) => {
    expect(verdict({ message })).toEqual(neverSent)
  })

  test("an SDK's connection error over one", () => {
    const error = Object.assign(new Error('Connection error.', { cause: failure('ECONNREFUSED') }), {
      name: 'APIConnectionError',
    })
    expect(verdict(error)).toEqual(neverSent)
  })
})

describe('maybe sent', () => {
  test.each([
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ECONNABORTED',
    'UND_ERR_SOCKET',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
    'ERR_STREAM_PREMATURE_CLOSE',
    'HPE_INVALID_CONSTANT',
    'ERR_HTTP2_STREAM_ERROR',
  ])('%s', (code) => {
    expect(verdict(failure(code))).toEqual(maybeSent)
  })

  test.each([
    'fetch failed',
    'Failed to fetch',
    'terminated',
    'Connection error.',
    'Request timed out.',
    'socket hang up',
    'Premature close',
    'Cannot connect to API: other side closed',
    'stream disconnected before completion: stream closed before response.completed',
    'Unexpected token \'e\', "event:erro"... is not valid JSON',
  ])('told only in words: %s', (message) => {
    expect(verdict(new Error(message))).toEqual(maybeSent)
  })

  test('a deadline of the attempt itself', () => {
    expect(verdict(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))).toEqual(maybeSent)
  })

  test("an SDK's own abort, inside its error", () => {
    const error = Object.assign(new Error('Request timed out.', { cause: new DOMException('aborted', 'AbortError') }), {
      name: 'APIConnectionTimeoutError',
    })
    expect(verdict(error)).toEqual(maybeSent)
  })
})

describe('neither', () => {
  test.each([
    new DOMException('This operation was aborted', 'AbortError'),
    Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }),
    Object.assign(new Error('Request was aborted.'), { name: 'APIUserAbortError' }),
    Object.assign(new Error('canceled'), { name: 'CanceledError', code: 'ERR_CANCELED' }),
  ])("the caller's own abort: %s", (error) => {
    for (const producer of Object.values(producers)) expect(producer.classify(error, env)).toBeUndefined()
  })

  test.each([
    new Error('x is not a function'),
    new RangeError('out of range'),
    'text',
    7,
    null,
    undefined,
    Symbol('s'),
  ])('%s', (raw) => {
    expect(producers['node-undici'].classify(raw, env)).toBeUndefined()
  })
})

describe('surely answered', () => {
  test.each([500, 502, 503, 504, 520, 522, 524, 529, 530])('%i is transient, whatever the words', (status) => {
    for (const id of ['http', 'generic-gateway', 'node-undici', 'openai-compatible'] as const) {
      const found = producers[id].classify(
        { status, body: '<html>connection reset by peer, socket hang up</html>' },
        env,
      )
      expect(verdictOf(found)).toEqual(neverSent)
    }
  })

  test.each([
    [400, 'permanent'],
    [401, 'auth_required'],
    [402, 'permanent'],
    [403, 'permanent'],
    [404, 'permanent'],
    [407, 'auth_required'],
    [408, 'transient'],
    [409, 'transient'],
    [410, 'permanent'],
    [413, 'context_overflow'],
    [422, 'permanent'],
    [425, 'transient'],
    [429, 'transient'],
    [451, 'permanent'],
    [499, 'transient'],
    [501, 'permanent'],
    [511, 'auth_required'],
    [599, 'transient'],
    [200, null],
    [304, null],
    [0, null],
    [600, null],
  ])('%i alone is %s', (status, expected) => {
    expect(verdictOf(producers.http.classify({ status }, env))).toEqual({ class: expected })
    expect(
      verdictOf(
        producers.http.classify(new Response(null, { status: status >= 200 && status < 600 ? status : 200 }), env),
      ).class,
    ).toBe(status === 0 || status === 600 ? null : expected)
  })

  test('what fetch answers is read as an answer', () => {
    const response = new Response(null, { status: 429, headers: { 'retry-after': '7' } })
    expect(verdictOf(producers.http.inspect(response, env))).toEqual({ class: 'transient', retry_after_secs: 7 })
    expect(producers.http.inspect(new Response('fine'), env)).toBeUndefined()
  })
})

describe("cockatiel's own errors", () => {
  test.each([
    [{ isBrokenCircuitError: true }, neverSent],
    [{ isBrokenCircuitError: true, isIsolatedCircuitError: true }, neverSent],
    [{ isBulkheadRejectedError: true }, neverSent],
    [{ isTaskCancelledError: true }, maybeSent],
    [{ isBrokenCircuitError: 'yes' }, { class: null }],
    [{}, { class: null }],
  ])('%j', (flags, expected) => {
    const found = producers.cockatiel.classify(Object.assign(new Error('Execution prevented'), flags), env)
    expect(verdictOf(found)).toEqual(expected)
  })
})
