import { type HeedError, isHeedError } from 'heed'
import { expect, test } from 'vitest'
import { guarded, rejection } from './guarded.ts'
import {
  answers,
  closesShort,
  closesToEnd,
  resetsBeforeHeaders,
  resetsInBody,
  type Step,
  stalls,
  stallsInBody,
} from './loopback.ts'

const text = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString()

/** Reads a stream to its end; what came before a failure is kept. */
async function read(stream: AsyncIterable<Uint8Array>): Promise<{ readonly got: string; readonly error?: unknown }> {
  const parts: Uint8Array[] = []
  try {
    for await (const part of stream) parts.push(part)
  } catch (error) {
    return { got: text(parts), error }
  }
  return { got: text(parts) }
}

const headersThenReset: Step = ({ response, socket }) => {
  response.writeHead(200, { 'content-length': 1_000 }).flushHeaders()
  setImmediate(() => socket.resetAndDestroy())
}

test.each([
  ['before headers', resetsBeforeHeaders],
  ['after headers, before content', headersThenReset],
])('a reset %s is asked again where the call is idempotent', async (_when, step) => {
  const { guard, bytes } = await guarded([[step, answers('whole')]], { idempotent: true })
  expect(await read(guard.stream(bytes))).toEqual({ got: 'whole' })
})

test.each([
  ['before headers', resetsBeforeHeaders],
  ['after headers, before content', headersThenReset],
])('a reset %s is asked once where it is not', async (_when, step) => {
  const { guard, servers, bytes } = await guarded([[step, answers('twice')], [answers('elsewhere')]])
  const { got, error } = await read(guard.stream(bytes))
  expect(got).toBe('')
  expect(error).toBeInstanceOf(Error)
  expect(isHeedError(error)).toBe(false)
  expect(servers.map((server) => server.requests)).toEqual([1, 0])
})

test.each([
  ['a reset', resetsInBody('half')],
  ['a close short of the promised length', closesShort('half')],
])('%s after content surfaces, even where the call is idempotent', async (_what, step) => {
  const { guard, servers, bytes } = await guarded([[step, answers('twice')]], { idempotent: true })
  const stream = guard.stream(bytes)
  const first = await stream.next()
  expect(text([first.value as Uint8Array])).toBe('half')
  const { error } = await read(stream)
  expect(error).toBeInstanceOf(TypeError)
  expect(servers[0]?.requests).toBe(1)
})

test('a silence after content is cut by idleTimeoutMs, which closes the socket', async () => {
  const { guard, arrived, clock, bytes } = await guarded([[stallsInBody('half'), answers('twice')]], {
    idleTimeoutMs: 2_000,
    idempotent: true,
  })
  const stream = guard.stream(bytes)
  await stream.next()
  const failed = rejection(stream.next())
  await clock.advance(2_000)
  expect((await failed) as HeedError).toMatchObject({ name: 'HeedError', reason: 'idle_timeout' })
  await (await arrived()).gone
})

test('a stall before content is cut by attemptTimeoutMs, and the next attempt serves', async () => {
  const { guard, arrived, clock, bytes } = await guarded([[stalls, answers('whole')]], {
    attemptTimeoutMs: 2_000,
    idempotent: true,
  })
  const all = read(guard.stream(bytes))
  const { gone } = await arrived()
  await clock.advance(2_000)
  expect(await all).toEqual({ got: 'whole' })
  await gone
})

test('a slow start within the limit is waited for, and the limit ends at the commit', async () => {
  const { guard, arrived, clock, bytes } = await guarded([[stalls]], { attemptTimeoutMs: 2_000, timeoutMs: 3_000 })
  const stream = guard.stream(bytes)
  const first = stream.next()
  const { response } = await arrived()
  await clock.advance(1_999)
  response.write('slow')
  expect(text([(await first).value as Uint8Array])).toBe('slow')
  await clock.advance(60_000)
  response.end(' but whole')
  expect(await read(stream)).toEqual({ got: ' but whole' })
})

test('an end by HTTP/1.1 close is an end', async () => {
  const { guard, bytes } = await guarded([[closesToEnd('all of it')]])
  expect(await read(guard.stream(bytes))).toEqual({ got: 'all of it' })
})

test('an end by HTTP/1.1 close without the item that must end the answer is not', async () => {
  const { guard, servers, bytes } = await guarded([[closesToEnd('data: half'), answers('twice')]], {
    idempotent: true,
  })
  const stream = guard.stream(bytes, { isEnd: (part) => text([part]).endsWith('[DONE]') })
  const { got, error } = await read(stream)
  expect(got).toBe('data: half')
  expect(error as HeedError).toMatchObject({ name: 'HeedError', reason: 'incomplete_stream' })
  expect(servers[0]?.requests).toBe(1)
})

test('an oversized body is not taken in, and leaving it closes the socket', async () => {
  let full: () => void
  const stalled = new Promise<void>((resolve) => {
    full = resolve
  })
  let written = 0
  const endless: Step = ({ response }) => {
    const part = Buffer.alloc(1 << 20)
    do written += part.length
    while (response.write(part))
    full()
  }
  const { guard, arrived, bytes } = await guarded([[endless]])
  const successes: unknown[] = []
  guard.health.on('success', ({ delivered }) => successes.push(delivered))
  for await (const part of guard.stream(bytes)) {
    expect(part.length).toBeGreaterThan(0)
    await stalled
    break
  }
  await (await arrived()).gone
  expect(successes).toEqual([1])
  expect(written).toBeGreaterThan(0)
})

test.each([
  ['before headers', stalls, false],
  ['in the body', stallsInBody('half'), true],
])("the caller's abort %s reaches the socket", async (_when, step, committed) => {
  const { guard, arrived, servers, bytes } = await guarded([[step], [answers('elsewhere')]], { idempotent: true })
  const controller = new AbortController()
  const stream = guard.stream(bytes, { abortSignal: controller.signal })
  if (committed) await stream.next()
  const failed = rejection(stream.next())
  const { gone } = await arrived()
  const reason = new Error('the user left')
  controller.abort(reason)
  expect(await failed).toBe(reason)
  await gone
  expect(servers[1]?.requests).toBe(0)
})

test('cancelling the web stream reaches the socket', async () => {
  const { guard, arrived, bytes } = await guarded([[stallsInBody('half')]])
  const reader = guard.stream(bytes).toReadableStream().getReader()
  expect(text([(await reader.read()).value as Uint8Array])).toBe('half')
  await reader.cancel('enough')
  await (await arrived()).gone
})
