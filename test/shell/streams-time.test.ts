import { type FakeClock, producedError } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, outcomeOf, scene } from './scene.ts'
import { drained, items, type Move, SOURCE_KINDS } from './sources.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const later = (clock: FakeClock, delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    clock.setTimeout(resolve, delayMs)
  })

const producer = { classify: () => undefined, isContent: (item: unknown) => !String(item).startsWith('~') }
const IDLE = { idleTimeoutMs: 1_000 }

describe.each(SOURCE_KINDS)('time and aborts: %s', (kind, make) => {
  /** A generator that hangs cannot be closed until what it awaits settles. */
  const closable = kind !== 'an async generator'

  test('a stall before commit is cut by attemptTimeoutMs: ambiguous, source closed', async () => {
    const told = scene({ candidates: [A, B], producer, attemptTimeoutMs: 1_000 })
    const { source, log } = make<string>([{ item: '~' }, { stalls: true }])
    let signal: AbortSignal | undefined
    const stream = told.guard.stream((attempt) => {
      signal = attempt.abortSignal
      return source
    })
    const { items: read, error } = await told.clock.run(drained(stream))
    expect(read).toEqual([])
    expect(error).toMatchObject({ name: 'HeedError', reason: 'attempt_timeout' })
    expect(told.of('failure')).toMatchObject([{ ambiguous: true, found: 'attempt_timeout' }])
    expect(told.of('attempt')).toHaveLength(1)
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError' })
    if (closable) expect(log.closed).toBe(1)
    expect(told.clock.now()).toBe(1_000)
    expect(told.clock.pendingTimers).toBe(0)
  })

  test('a stall before commit of an idempotent call goes on to the next attempt', async () => {
    const told = scene({ candidates: [A], producer, attemptTimeoutMs: 1_000, idempotent: true })
    const stream = told.guard.stream(
      ({ number }) => make<string>(number === 1 ? [{ item: '~1' }, { stalls: true }] : items('~2', 'hello')).source,
    )
    expect(await told.clock.run(drained(stream))).toEqual({ items: ['~2', 'hello'] })
  })

  test('the deadline cuts before commit', async () => {
    const told = scene({ candidates: [A, B], producer })
    const stream = told.guard.stream(() => make<string>([{ stalls: true }]).source, { timeoutMs: 700 })
    const { error } = await told.clock.run(drained(stream))
    expect(error).toMatchObject({ name: 'HeedError', reason: 'timeout' })
    expect(told.clock.now()).toBe(700)
  })

  test("after commit neither the attempt's limit nor the deadline runs on", async () => {
    const told = scene({ candidates: [A], producer, attemptTimeoutMs: 1_000, timeoutMs: 1_500 })
    const { source } = make<string>(items('1', '2', '3'))
    const stream = told.guard.stream(() => source)
    expect(await stream.next()).toEqual({ done: false, value: '1' })
    expect(told.clock.pendingTimers).toBe(0)
    await told.clock.advance(60_000)
    expect(await drained(stream)).toEqual({ items: ['2', '3'] })
  })

  test('a silence after commit is cut by idleTimeoutMs: source closed, signal aborted, no class', async () => {
    const told = scene({ candidates: [A, B], producer, ...IDLE })
    const { source, log } = make<string>([{ item: '1' }, { stalls: true }])
    let signal: AbortSignal | undefined
    const stream = told.guard.stream((attempt) => {
      signal = attempt.abortSignal
      return source
    })
    const { items: read, error } = await told.clock.run(drained(stream))
    expect(read).toEqual(['1'])
    expect(error).toMatchObject({ name: 'HeedError', reason: 'idle_timeout' })
    expect((error as { class?: string }).class).toBeUndefined()
    expect(told.of('attempt')).toHaveLength(1)
    expect(told.of('surface')).toMatchObject([{ reason: 'idle_timeout' }])
    expect(signal?.aborted).toBe(true)
    if (closable) expect(log.closed).toBe(1)
    expect(told.clock.now()).toBe(1_000)
    expect(told.clock.pendingTimers).toBe(0)
  })

  test('idleTimeoutMs does not run before commit', async () => {
    const told = scene({ candidates: [A], producer, ...IDLE })
    const stream = told.guard.stream(async () => {
      await later(told.clock, 30_000)
      return make<string>(items('1')).source
    })
    expect(await told.clock.run(drained(stream))).toEqual({ items: ['1'] })
  })

  test('idleTimeoutMs does not run while the consumer takes its time', async () => {
    const told = scene({ candidates: [A], producer, ...IDLE })
    const { source } = make<string>(items('1', '2'))
    const stream = told.guard.stream(() => source)
    await stream.next()
    await told.clock.advance(60_000)
    expect(await stream.next()).toEqual({ done: false, value: '2' })
    await told.clock.advance(60_000)
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    expect(told.of('success')).toHaveLength(1)
  })

  test('each item starts the silence again', async () => {
    const told = scene({ candidates: [A], producer, ...IDLE })
    const stream = told.guard.stream(() =>
      (async function* () {
        for (let item = 0; item < 5; item += 1) {
          if (item > 0) await later(told.clock, 900)
          yield item
        }
      })(),
    )
    expect((await told.clock.run(drained(stream))).items).toEqual([0, 1, 2, 3, 4])
    expect(told.clock.pendingTimers).toBe(0)
  })

  test('a stream that arrives after its attempt was cut is cancelled unread', async () => {
    const told = scene({ candidates: [A], producer, attemptTimeoutMs: 1_000 })
    const { source, log } = make<string>(items('1', '2'))
    const stream = told.guard.stream(async () => {
      await later(told.clock, 5_000)
      return source
    })
    expect((await told.clock.run(drained(stream))).error).toMatchObject({ reason: 'attempt_timeout' })
    await told.clock.advance(10_000)
    expect(log.pulled).toBe(0)
    // An async generator that never started has nothing to close.
    if (closable) expect(log.closed).toBe(1)
    else expect(await (source as AsyncGenerator).next()).toEqual({ done: true, value: undefined })
  })

  test('a stream that arrives after an abort is cancelled unread', async () => {
    const told = scene({ candidates: [A], producer })
    const controller = new AbortController()
    const { source, log } = make<string>(items('1', '2'))
    const stream = told.guard.stream(
      async () => {
        await later(told.clock, 5_000)
        return source
      },
      { abortSignal: controller.signal },
    )
    const read = outcomeOf(stream.next())
    await turn()
    controller.abort('enough')
    expect(await read).toEqual({ error: 'enough' })
    await told.clock.advance(10_000)
    expect(log.pulled).toBe(0)
    if (closable) expect(log.closed).toBe(1)
  })
})

describe.each(SOURCE_KINDS)('aborts by phase: %s', (kind, make) => {
  const closable = kind !== 'an async generator'
  const aborted = (moves: readonly Move<string>[]) => {
    const controller = new AbortController()
    const told = scene({ candidates: [A, B], producer })
    const made = make<string>(moves)
    const stream = told.guard.stream(() => made.source, { abortSignal: controller.signal })
    return { ...told, ...made, stream, controller, reason: new Error('the caller') }
  }

  test('before the start: nothing is asked', async () => {
    const { stream, controller, reason, of } = aborted(items('1'))
    controller.abort(reason)
    expect(await outcomeOf(stream.next())).toEqual({ error: reason })
    expect(of('attempt')).toHaveLength(0)
    expect(of('surface')).toMatchObject([{ reason: 'aborted', attempts: 0 }])
  })

  test('before commit, while an item is awaited', async () => {
    const { stream, controller, reason, of, log } = aborted([{ item: '~' }, { stalls: true }])
    const read = outcomeOf(stream.next())
    await turn()
    controller.abort(reason)
    expect(await read).toEqual({ error: reason })
    expect(of('attempt')).toHaveLength(1)
    expect(of('surface')).toMatchObject([{ reason: 'aborted' }])
    if (closable) expect(log.closed).toBe(1)
  })

  test('in the wait before a retry', async () => {
    const { stream, controller, reason, of, clock } = aborted([{ fails: producedError('transient') }])
    const read = outcomeOf(stream.next())
    await clock.advance(50)
    expect(of('retry')).toHaveLength(1)
    controller.abort(reason)
    expect(await read).toEqual({ error: reason })
    await clock.advance(60_000)
    expect(of('attempt')).toHaveLength(1)
    expect(clock.pendingTimers).toBe(0)
  })

  test('after commit, while an item is awaited', async () => {
    const { stream, controller, reason, of, log, clock } = aborted([{ item: '1' }, { stalls: true }])
    await stream.next()
    const read = outcomeOf(stream.next())
    await turn()
    controller.abort(reason)
    expect(await read).toEqual({ error: reason })
    expect(of('surface')).toMatchObject([{ reason: 'aborted' }])
    expect(of('attempt')).toHaveLength(1)
    if (closable) expect(log.closed).toBe(1)
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    expect(clock.pendingTimers).toBe(0)
  })

  test('after commit, while nobody reads: the next read hears of it', async () => {
    const { stream, controller, reason, of, log } = aborted(items('1', '2'))
    await stream.next()
    controller.abort(reason)
    expect(of('surface')).toMatchObject([{ reason: 'aborted' }])
    await turn()
    expect(log.closed).toBe(1)
    expect(await outcomeOf(stream.next())).toEqual({ error: reason })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    expect(log.pulled).toBe(1)
  })

  test('after the end: nothing', async () => {
    const { stream, controller, reason, names } = aborted(items('1'))
    await drained(stream)
    const before = names().length
    controller.abort(reason)
    expect(names()).toHaveLength(before)
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  test('of many overlapping reads all are settled at once', async () => {
    const { stream, controller, reason } = aborted([{ item: '1' }, { stalls: true }])
    await stream.next()
    const reads = [outcomeOf(stream.next()), outcomeOf(stream.next()), outcomeOf(stream.next())]
    await turn()
    controller.abort(reason)
    const settled = await Promise.all(reads)
    expect(settled[0]).toEqual({ error: reason })
    expect(settled).toHaveLength(3)
  })
})
