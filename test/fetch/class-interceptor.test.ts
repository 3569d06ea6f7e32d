import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { deflateSync, gzipSync } from 'node:zlib'
import { readClassification } from 'heed'
import { type AnswerOptions, classInterceptor, HttpError } from 'heed/fetch'
import { producers } from 'heed/producers'
import { fakeClock } from 'heed/testing'
import { Agent, Client, type Dispatcher, interceptors, fetch as undiciFetch } from 'undici'
import { afterEach, expect, test } from 'vitest'
import type { DispatchHandler } from '../../src/fetch/class-handler.ts'
import { answers, type Loopback, loopback, refuses, resetsBeforeHeaders, type Step } from '../sockets/loopback.ts'
import { httpError, rejection, until } from './rejection.ts'

const open: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A server that takes one step per request, and a dispatcher with the interceptor. */
async function served(options: AnswerOptions, ...steps: readonly Step[]): Promise<[Dispatcher, Loopback]> {
  const server = await loopback(steps)
  const agent = new Agent()
  open.push(server.close, () => agent.destroy())
  return [agent.compose(classInterceptor(options)), server]
}

const ask = (dispatcher: Dispatcher, server: Loopback, path = '/', signal?: AbortSignal) =>
  dispatcher.request({ origin: server.url, path, method: 'GET', ...(signal === undefined ? {} : { signal }) })

const QUOTA = { error: { code: 'insufficient_quota', message: 'sk-live-0123' } }

const sends =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): Step =>
  ({ response }) =>
    response.writeHead(status, headers).end(body)

test('a failed answer is thrown with its class, by one request', async () => {
  const limited = { error: { code: 'rate_limit_exceeded' } }
  const [dispatcher, server] = await served(
    {},
    refuses(429, QUOTA),
    sends(429, JSON.stringify(limited), { 'Retry-After': '7' }),
  )
  const quota = await httpError(ask(dispatcher, server))
  expect(quota.toJSON()).toEqual({
    name: 'HttpError',
    code: 'http_error',
    message: 'heed: the server answered with status 429',
    status: 429,
    class: 'permanent',
  })
  expect(quota.body).toEqual(QUOTA)
  const limit = await httpError(ask(dispatcher, server))
  expect(readClassification(limit)).toEqual({ class: 'transient', retryAfterSecs: 7 })
  expect(limit.headers['retry-after']).toBe('7')
  expect(server.requests).toBe(2)
})

test('a success passes, by request and by stream', async () => {
  const [dispatcher, server] = await served({}, answers('whole'))
  expect(await (await ask(dispatcher, server)).body.text()).toBe('whole')
  const chunks: Buffer[] = []
  await dispatcher.stream({ origin: server.url, path: '/', method: 'GET' }, () => {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        chunks.push(chunk)
        done()
      },
    })
  })
  expect(Buffer.concat(chunks).toString()).toBe('whole')
})

test('a body that was sent is the server’s, and its sending is told', async () => {
  const [dispatcher, server] = await served({}, ({ request, response }) => void request.pipe(response))
  const answer = await dispatcher.request({ origin: server.url, path: '/', method: 'POST', body: 'echo' })
  expect(await answer.body.text()).toBe('echo')
})

test('interim answers and redirects are left to others', async () => {
  const [dispatcher, server] = await served(
    {},
    ({ response }) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      response.writeHead(200).end('after hints')
    },
    sends(302, '', { location: '/next' }),
  )
  const seen: number[] = []
  const onInfo = ({ statusCode }: { statusCode: number }): void => void seen.push(statusCode)
  const hinted = await dispatcher.request({ origin: server.url, path: '/', method: 'GET', onInfo })
  expect([await hinted.body.text(), seen]).toEqual(['after hints', [103]])
  const redirect = await ask(dispatcher, server)
  expect([redirect.statusCode, redirect.headers['location']]).toEqual([302, '/next'])
  await redirect.body.dump()
})

test('a redirect that is followed ends in a class', async () => {
  const server = await loopback([sends(302, '', { location: '/next' }), refuses(401, {})])
  const agent = new Agent()
  open.push(server.close, () => agent.destroy())
  const dispatcher = agent.compose(classInterceptor(), interceptors.redirect({ maxRedirections: 2 }))
  expect((await httpError(ask(dispatcher, server))).class).toBe('auth_required')
  expect(server.requests).toBe(2)
})

test('a head request has no body, and a class', async () => {
  const [dispatcher, server] = await served({}, sends(503, '', { 'retry-after': '3' }))
  const error = await httpError(dispatcher.request({ origin: server.url, path: '/', method: 'HEAD' }))
  expect(readClassification(error)).toEqual({ class: 'transient', retryAfterSecs: 3 })
})

test('the producer that was given reads it, with the address', async () => {
  const seen: unknown[] = []
  const producer = {
    classify: (raw: unknown) => {
      seen.push(raw)
      return { class: 'permanent' }
    },
  }
  const [dispatcher, server] = await served({ producer }, sends(503, '{"a":1}'))
  expect((await httpError(ask(dispatcher, server, '/v1/chat?a=1'))).class).toBe('permanent')
  expect(seen).toMatchObject([{ status: 503, body: { a: 1 }, url: `${server.url}v1/chat?a=1` }])
})

test('a client of one origin needs no address', async () => {
  const server = await loopback([refuses(429, QUOTA)])
  const client = new Client(server.url)
  open.push(server.close, () => client.destroy())
  const error = await httpError(client.compose(classInterceptor()).request({ path: '/', method: 'GET' }))
  expect(error.class).toBe('permanent')
})

test('fetch carries it as the cause, where it is read', async () => {
  const [dispatcher, server] = await served({}, refuses(429, QUOTA))
  const error = (await rejection(undiciFetch(server.url, { dispatcher }))) as Error
  expect(error).toBeInstanceOf(TypeError)
  expect(error.cause).toBeInstanceOf(HttpError)
  expect(readClassification(error)).toEqual({ class: 'permanent' })
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['identity', (text: string) => Buffer.from(text)],
  ['deflate, gzip', (text: string) => gzipSync(deflateSync(text))],
])('a body in %s is decoded', async (encoding, encode) => {
  const [dispatcher, server] = await served(
    {},
    sends(429, encode(JSON.stringify(QUOTA)), { 'content-encoding': encoding }),
  )
  const error = await httpError(ask(dispatcher, server))
  expect([error.class, error.body, error.cause]).toEqual(['permanent', QUOTA, undefined])
})

test('a body that unpacks to more than the bound is read up to it', async () => {
  const [dispatcher, server] = await served(
    {},
    sends(503, gzipSync('x'.repeat(5_000_000)), { 'content-encoding': 'gzip' }),
  )
  expect((await httpError(ask(dispatcher, server))).body).toBe('x'.repeat(65_536))
})

test('a body in a coding that nobody knows leaves status and headers', async () => {
  const headers = { 'content-encoding': 'rot13', 'retry-after': '4' }
  const [dispatcher, server] = await served({}, sends(429, JSON.stringify(QUOTA), headers))
  const error = await httpError(ask(dispatcher, server))
  expect(readClassification(error)).toEqual({ class: 'transient', retryAfterSecs: 4 })
  expect([error.body, error.cause instanceof Error]).toEqual(['', true])
})

test('a long body is read up to its bound, and the connection closed', async () => {
  const clock = fakeClock()
  const [dispatcher, server] = await served({ maxBodyBytes: 1_000, clock }, ({ response }) => {
    response.writeHead(503)
    const more = (): void => {
      while (response.writable && response.write('x'.repeat(10_000)));
      response.once('drain', more)
    }
    more()
  })
  const error = await httpError(ask(dispatcher, server))
  expect([error.class, error.body, error.cause]).toEqual(['transient', 'x'.repeat(1_000), undefined])
  await (await server.arrived(1)).gone
  expect(clock.pendingTimers).toBe(0)
})

test('a body that breaks leaves what came, status and headers', async () => {
  const clock = fakeClock()
  const [dispatcher, server] = await served({ clock }, ({ response, socket }) => {
    response.writeHead(429, { 'retry-after': '5', 'content-length': 1_000 })
    response.write('{"error":{"code":"rate_limit_exceeded"', () => socket.resetAndDestroy())
  })
  const error = await httpError(ask(dispatcher, server))
  expect(readClassification(error)).toEqual({ class: 'transient', retryAfterSecs: 5 })
  expect(error.cause).toBeInstanceOf(Error)
  expect(clock.pendingTimers).toBe(0)
})

const stallsInRefusal: Step = ({ response }) => {
  response.writeHead(503, { 'retry-after': '5' })
  response.write('{')
}

test('a body that stalls is given up after bodyTimeoutMs', async () => {
  const clock = fakeClock()
  const [dispatcher, server] = await served({ clock, bodyTimeoutMs: 200 }, stallsInRefusal)
  const failed = httpError(ask(dispatcher, server))
  await until(() => clock.pendingTimers === 1)
  await clock.advance(200)
  const error = await failed
  expect(readClassification(error)).toEqual({ class: 'transient', retryAfterSecs: 5 })
  expect(error.cause).toEqual(new Error('heed: the body took longer than bodyTimeoutMs (200)'))
  await (await server.arrived(1)).gone
})

test('a caller who aborts meanwhile gets the own reason', async () => {
  const clock = fakeClock()
  const [dispatcher, server] = await served({ clock }, stallsInRefusal)
  const caller = new AbortController()
  const failed = rejection(ask(dispatcher, server, '/', caller.signal))
  await until(() => clock.pendingTimers === 1)
  const reason = new Error('mine')
  caller.abort(reason)
  expect(await failed).toBe(reason)
  expect(clock.pendingTimers).toBe(0)
})

test('a caller who aborts while the answer is awaited gets the own reason', async () => {
  const [dispatcher, server] = await served({}, () => undefined)
  const caller = new AbortController()
  const failed = rejection(ask(dispatcher, server, '/', caller.signal))
  await server.arrived(1)
  const reason = new Error('mine')
  caller.abort(reason)
  expect(await failed).toBe(reason)
})

test('what fails on the way is thrown as undici throws it, for the same producer to read', async () => {
  const [dispatcher, server] = await served({}, resetsBeforeHeaders)
  const error = await rejection(ask(dispatcher, server))
  expect(error).not.toBeInstanceOf(HttpError)
  expect(producers.openai.classify(error, { nowMs: 0 })).toMatchObject({ class: undefined, ambiguous: true })
})

test('an upgrade passes', async () => {
  const server = createServer()
  server.on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  open.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => client.destroy(),
  )
  const { headers, socket } = await client.compose(classInterceptor()).upgrade({ path: '/', protocol: 'echo' })
  expect(headers['upgrade']).toBe('echo')
  socket.destroy()
})

test('a request that is sent again below starts anew', () => {
  const clock = fakeClock()
  const told: unknown[] = []
  const behind = {
    onResponseStart: (_controller: unknown, status: number) => told.push(status),
    onResponseData: (_controller: unknown, chunk: Uint8Array) => told.push(chunk),
    onResponseEnd: () => told.push('end'),
    onResponseError: (_controller: unknown, error: unknown) => told.push(error),
  }
  const controller = { aborted: false, abort: () => undefined }
  const sendsTwice = (_options: unknown, handler: Required<DispatchHandler>): boolean => {
    for (const status of [503, 200]) {
      handler.onRequestStart(controller, undefined)
      handler.onResponseStart(controller, status, {})
    }
    handler.onResponseData(controller, new Uint8Array([1]))
    handler.onResponseEnd(controller, {})
    return true
  }
  classInterceptor({ clock })(sendsTwice)({}, behind as unknown as Required<DispatchHandler>)
  expect(told).toEqual([200, new Uint8Array([1]), 'end'])
  expect(clock.pendingTimers).toBe(0)
})

test('wrong options are refused', () => {
  expect(() => classInterceptor({ maxBodyBytes: -1 })).toThrow(
    new TypeError('classInterceptor: maxBodyBytes: give a number, 0 or more'),
  )
  expect(() => classInterceptor({ fetch } as never)).toThrow(
    new TypeError('classInterceptor: fetch is not an option; give producer, maxBodyBytes, bodyTimeoutMs or clock'),
  )
})
