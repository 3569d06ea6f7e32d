import { heed } from 'heed'
import { describe, expect, test } from 'vitest'
import { noUnhandledRejections } from './no-unhandled-rejections.ts'

const never = (): Promise<never> => new Promise(() => {})
const late = (): Promise<never> => new Promise((_, reject) => setTimeout(reject, 5, new Error('too late')))

type Source = AsyncIterable<number> | ReadableStream<number>

/** Sources that give numbers, and what they do when they are told that nobody reads on. */
const SOURCES: Readonly<Record<string, (close: () => Promise<never>) => Source>> = {
  'an async generator': async function* (close) {
    try {
      for (let item = 1; ; item += 1) yield item
    } finally {
      await close()
    }
  },
  'an iterator written by hand': (close) => ({
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: 1 }), return: close }),
  }),
  'a web stream': (close) => new ReadableStream({ pull: (controller) => controller.enqueue(1), cancel: close }),
}

describe.each(Object.entries(SOURCES))('%s that is slow to end', (_name, source) => {
  noUnhandledRejections()

  describe.each([
    ['hangs in it', never],
    ['then rejects', late],
  ])('and %s', (_how, close) => {
    const streamed = () => {
      let told = 0
      const guard = heed({ candidates: [{ id: 'a', provider: 'p' }] })
      const ends: unknown[] = []
      guard.health.on('success', ({ delivered }) => ends.push(delivered))
      guard.health.on('surface', ({ reason }) => ends.push(reason))
      const stream = guard.stream(() =>
        source(() => {
          told += 1
          return close()
        }),
      )
      return { stream, ends, told: () => told }
    }

    test.each<readonly [string, (stream: ReturnType<typeof streamed>['stream']) => Promise<unknown>]>([
      [
        'break',
        async (stream) => {
          for await (const _ of stream) break
        },
      ],
      ['return()', (stream) => stream.next().then(() => stream.return())],
      [
        'cancel()',
        async (stream) => {
          const reader = stream.toReadableStream().getReader()
          await reader.read()
          await reader.cancel('enough')
        },
      ],
    ])('does not keep who leaves by %s', async (_by, leave) => {
      const { stream, ends, told } = streamed()
      await leave(stream)
      await new Promise((resolve) => setTimeout(resolve, 10))
      expect(told()).toBe(1)
      expect(ends).toEqual([1])
      expect(await stream.next()).toEqual({ done: true, value: undefined })
    })
  })
})
