import type { Producer } from 'heed'
import { producedError } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { broken, FALLBACK, guarded, PRIMARY, seen } from './stage.ts'

type Part = {
  readonly type: 'start' | 'text' | 'error' | 'finish' | 'ping' | 'tool'
  readonly text?: string
  readonly class?: string
}

const start: Part = { type: 'start' }
const finish: Part = { type: 'finish' }
const ping: Part = { type: 'ping' }
const text = (said: string): Part => ({ type: 'text', text: said })
const failed = (stated: string): Part => ({ type: 'error', class: stated })

const producer: Producer = {
  classify: () => undefined,
  inspect: (item) => ((item as Part).type === 'error' ? { class: (item as Part).class } : undefined),
  isContent: (item) => ['text', 'tool', 'finish'].includes((item as Part).type),
  isEnd: (item) => (item as Part).type === 'finish',
}

async function* of(...parts: readonly Part[]): AsyncGenerator<Part> {
  yield* parts
}

async function read(stream: AsyncIterable<Part>): Promise<{ kinds: string; text: string; error?: unknown }> {
  const parts: Part[] = []
  const done = (error?: unknown) => ({
    kinds: parts.map(({ type }) => type).join(' '),
    text: parts.map((part) => part.text ?? '').join(''),
    ...(error === undefined ? {} : { error }),
  })
  try {
    for await (const part of stream) parts.push(part)
  } catch (error) {
    return done(error)
  }
  return done()
}

/** The primary's stream, the fallback's, and what the consumer saw of both. */
async function consumed(
  primary: () => AsyncIterable<Part>,
  fallback: readonly Part[] = [start, text('B1 B2'), finish],
) {
  const { guard, clock } = guarded([PRIMARY, FALLBACK], { producer, idleTimeoutMs: 30_000, attemptTimeoutMs: 60_000 })
  const asked: string[] = []
  const stream = guard.stream(({ candidate }) => {
    asked.push(candidate.id)
    return candidate.id === 'primary' ? primary() : of(...fallback)
  })
  return { ...(await clock.run(read(stream))), asked }
}

describe('a stream that dies', () => {
  test.each(['transient', 'permanent', 'auth_required'])(
    'after "The answer is " with %s is not answered twice',
    async (stated) => {
      const error = producedError(stated)
      const saw = await consumed(() => broken([start, text('The answer is ')], error))
      expect(saw).toEqual({ kinds: 'start text', text: 'The answer is ', error, asked: ['primary'] })
    },
  )

  test('with an error part after "A1 A2 " is not joined by "B1 B2"', async () => {
    const saw = await consumed(() => of(start, text('A1 A2 '), failed('transient')))
    expect(saw.text).toBe('A1 A2 ')
    expect(saw.kinds).toBe('start text error')
    expect(saw.asked).toEqual(['primary'])
  })

  test('before its first content is answered by the fallback, with one start', async () => {
    const saw = await consumed(() => broken([start], producedError('permanent')))
    expect(saw).toEqual({ kinds: 'start text finish', text: 'B1 B2', asked: ['primary', 'fallback'] })
  })

  test('with an error part as its first event, on a 200, is answered by the fallback', async () => {
    const saw = await consumed(() => of(failed('permanent')))
    expect(saw).toEqual({ kinds: 'start text finish', text: 'B1 B2', asked: ['primary', 'fallback'] })
  })

  test('after nothing but pings is answered by the fallback', async () => {
    const saw = await consumed(() => broken([start, ping, ping, ping], producedError('permanent')))
    expect(saw.asked).toEqual(['primary', 'fallback'])
    expect(saw.kinds).toBe('start text finish')
  })

  test('after a tool call has begun is not replayed: the card is charged once', async () => {
    const error = producedError('transient')
    const saw = await consumed(() => broken([start, { type: 'tool' }], error))
    expect(saw).toMatchObject({ kinds: 'start tool', error, asked: ['primary'] })
  })

  test('without a finish is no silent half answer', async () => {
    const saw = await consumed(() => of(start, text('40 of 60 tokens')))
    expect(saw.text).toBe('40 of 60 tokens')
    expect(saw.error).toMatchObject({ reason: 'incomplete_stream' })
    expect(saw.asked).toEqual(['primary'])
  })

  test('that stalls in the middle is ended, typed, and asks nobody else', async () => {
    const saw = await consumed(() => ({
      [Symbol.asyncIterator]: () => {
        let place = 0
        return {
          next: () => {
            place += 1
            return place === 1
              ? Promise.resolve({ done: false as const, value: text('half') })
              : new Promise<never>(() => undefined)
          },
        }
      },
    }))
    expect(saw.error).toMatchObject({ reason: 'idle_timeout' })
    expect(saw.asked).toEqual(['primary'])
  })
})

describe('a consumer that leaves', () => {
  test("reaches the provider's stream, which is not read ahead of it", async () => {
    const { guard } = guarded([PRIMARY, FALLBACK])
    let pulled = 0
    let cancelled: unknown
    const stream = guard
      .stream(
        () =>
          new ReadableStream<string>(
            {
              pull: (controller) => {
                pulled += 1
                controller.enqueue(`${pulled}`)
              },
              cancel: (reason) => {
                cancelled = reason
              },
            },
            { highWaterMark: 0 },
          ),
      )
      .toReadableStream()
    const reader = stream.getReader()
    await reader.read()
    await reader.read()
    await reader.cancel('enough')
    expect(cancelled).toBe('enough')
    expect(pulled).toBe(2)
  })

  test('in the middle of a stream is not answered by a second model', async () => {
    const { guard } = guarded([PRIMARY, FALLBACK])
    const controller = new AbortController()
    const asked: string[] = []
    const stream = guard.stream(
      async function* ({ candidate }) {
        asked.push(candidate.id)
        yield 'A1 '
        yield 'A2 '
      },
      { abortSignal: controller.signal },
    )
    await stream.next()
    controller.abort(new Error('the user left'))
    expect(await seen(stream)).toMatchObject({ text: '', error: { message: 'the user left' } })
    expect(asked).toEqual(['primary'])
  })
})

test('an auth failure in the middle of a stream is not retried thrice without backoff', async () => {
  const { guard, clock } = guarded([PRIMARY])
  let asked = 0
  const saw = await clock.run(
    seen(
      guard.stream(() => {
        asked += 1
        return broken(['attempt1 '], producedError('auth_required'))
      }),
    ),
  )
  expect(saw.text).toBe('attempt1 ')
  expect(asked).toBe(1)
})
