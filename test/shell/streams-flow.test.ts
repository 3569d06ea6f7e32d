import { producedError } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, scene } from './scene.ts'
import { drained, items, type Move, SOURCE_KINDS } from './sources.ts'

const producer = {
  classify: () => undefined,
  inspect: (item: unknown) => (String(item).startsWith('!') ? { class: String(item).slice(1) } : undefined),
}
const CLASSES = ['transient', 'permanent', 'auth_required', 'context_overflow', 'quota_of_mars'] as const

describe.each(SOURCE_KINDS)('%s, after its commit', (_kind, make) => {
  const streamed = (moves: readonly Move<string>[], candidates = [A, B] as const) => {
    const told = scene({ candidates, producer })
    const { source, log } = make(moves)
    let asked = 0
    const stream = told.guard.stream(() => {
      asked += 1
      return asked === 1 ? source : make(items('again')).source
    })
    return { ...told, stream, log, asked: () => asked }
  }

  test.each(CLASSES)('a %s failure surfaces as it came, and nothing is replayed', async (errorClass) => {
    const error = producedError(errorClass)
    const { stream, clock, asked, of } = streamed([{ item: 'A1' }, { item: 'A2' }, { fails: error }])
    const drain = await clock.run(drained(stream))
    expect(drain.items).toEqual(['A1', 'A2'])
    expect(drain.error).toBe(error)
    expect(asked()).toBe(1)
    expect(of('surface')).toMatchObject([{ reason: 'committed', class: errorClass }])
    expect(of('failure')).toHaveLength(1)
    expect(of('success')).toHaveLength(0)
  })

  test('an unclassified failure surfaces as it came', async () => {
    const error = new Error('socket hang up')
    const { stream, clock, asked } = streamed([{ item: 'A1' }, { fails: error }])
    expect((await clock.run(drained(stream))).error).toBe(error)
    expect(asked()).toBe(1)
  })

  test.each(CLASSES)('a %s error item passes through like any other', async (errorClass) => {
    const { stream, clock, asked, of } = streamed(items('A1', `!${errorClass}`, 'A2'))
    expect(await clock.run(drained(stream))).toEqual({ items: ['A1', `!${errorClass}`, 'A2'] })
    expect(asked()).toBe(1)
    expect(of('surface')).toMatchObject([{ reason: 'committed', class: errorClass }])
    expect(of('failure')).toHaveLength(1)
    expect(of('success')).toHaveLength(0)
  })

  test('a failure after commit leaves its marks for the next call', async () => {
    const error = producedError('transient', { retryAfterSecs: 30 })
    const { stream, clock, guard } = streamed([{ item: 'A1' }, { fails: error }])
    await clock.run(drained(stream))
    expect(guard.health.snapshot().cooling).toMatchObject([{ candidate: 'a', remainingMs: 30_000 }])
  })

  test('items are handed over by identity', async () => {
    const told = scene({ candidates: [A], producer })
    const given = [{ n: 1 }, { n: 2 }, { n: 3 }]
    const { items: read } = await drained(told.guard.stream(() => make(items(...given)).source))
    expect(read.every((item, index) => item === given[index])).toBe(true)
  })

  test('the source is asked for an item only when the consumer asks', async () => {
    const { stream, log } = streamed(items('1', '2', '3', '4'))
    for (let read = 1; read <= 4; read += 1) {
      await stream.next()
      await new Promise((resolve) => setImmediate(resolve))
      expect(log.pulled).toBe(read)
    }
  })

  test('break reaches the source and is a success with what was taken', async () => {
    const { stream, log, of } = streamed(items('1', '2', '3'))
    for await (const item of stream) if (item === '2') break
    expect(log).toMatchObject({ pulled: 2, closed: 1 })
    expect(of('success')).toMatchObject([{ delivered: 2, attempts: 1, candidate: 'a' }])
    expect(of('surface')).toHaveLength(0)
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  test("a throw in the consumer's loop reaches the source", async () => {
    const { stream, log, of } = streamed(items('1', '2', '3'))
    const error = new Error('the consumer')
    const loop = async (): Promise<void> => {
      for await (const _ of stream) throw error
    }
    await expect(loop()).rejects.toBe(error)
    expect(log.closed).toBe(1)
    expect(of('success')).toMatchObject([{ delivered: 1 }])
  })

  test('return() twice closes once', async () => {
    const { stream, log, of } = streamed(items('1', '2', '3'))
    await stream.next()
    expect(await stream.return()).toEqual({ done: true, value: undefined })
    expect(await stream.return()).toEqual({ done: true, value: undefined })
    expect(log.closed).toBe(1)
    expect(of('success')).toHaveLength(1)
  })

  test('return() before the first item asks for nothing', async () => {
    const { stream, asked, heard } = streamed(items('1'))
    expect(await stream.return()).toEqual({ done: true, value: undefined })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    expect(asked()).toBe(0)
    expect(heard).toEqual([])
  })

  test('return() while the first item is awaited closes the source and ends the read', async () => {
    const { stream, log, asked, names } = streamed([{ stalls: true }])
    const read = stream.next()
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked()).toBe(1)
    const returned = stream.return()
    expect(await read).toEqual({ done: true, value: undefined })
    expect(await returned).toEqual({ done: true, value: undefined })
    expect(names().filter((name) => name === 'success' || name === 'surface')).toHaveLength(1)
    if (make !== SOURCE_KINDS[0]?.[1]) expect(log.closed).toBe(1)
  })

  test('the end is told once, and stays the end', async () => {
    const { stream, of, clock } = streamed(items('1'))
    await drained(stream)
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    expect(of('success')).toMatchObject([{ delivered: 1 }])
    expect(clock.pendingTimers).toBe(0)
  })

  test('after a failure the stream is at its end', async () => {
    const { stream, clock } = streamed([{ item: '1' }, { fails: producedError('transient') }])
    await clock.run(drained(stream))
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  test('overlapping reads are answered in order, each item once', async () => {
    const { stream, of } = streamed(items('1', '2', '3'))
    const reads = [stream.next(), stream.next(), stream.next(), stream.next(), stream.next()]
    const done = { done: true, value: undefined }
    expect(await Promise.all(reads)).toEqual([
      { done: false, value: '1' },
      { done: false, value: '2' },
      { done: false, value: '3' },
      done,
      done,
    ])
    expect(of('success')).toMatchObject([{ delivered: 3 }])
  })

  test('of overlapping reads that fail one hears of it, and the rest are at the end', async () => {
    const error = producedError('permanent')
    const { stream, of } = streamed([{ item: '1' }, { fails: error }])
    const settled = await Promise.allSettled([stream.next(), stream.next(), stream.next()])
    expect(settled[0]).toEqual({ status: 'fulfilled', value: { done: false, value: '1' } })
    expect(settled[1]).toEqual({ status: 'rejected', reason: error })
    if (make !== SOURCE_KINDS[2]?.[1]) {
      // A failed web stream fails every read that was under way.
      expect(settled[2]).toEqual({ status: 'fulfilled', value: { done: true, value: undefined } })
    }
    expect(of('surface')).toHaveLength(1)
  })

  test('overlapping reads of a call that surfaces hear of it once', async () => {
    const told = scene({ candidates: [A] })
    const error = new Error('x')
    const stream = told.guard.stream<string>(() => Promise.reject(error))
    const settled = await Promise.allSettled([stream.next(), stream.next()])
    expect(settled).toEqual([
      { status: 'rejected', reason: error },
      { status: 'fulfilled', value: { done: true, value: undefined } },
    ])
  })
})
