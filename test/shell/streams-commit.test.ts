import type { Producer } from 'heed'
import { producedError } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, scene } from './scene.ts'
import { drained, items, type Move, SOURCE_KINDS } from './sources.ts'

/** `~` opens a preamble item, `!class` an error item, `.` is the end that says the answer is complete. */
const producer: Producer = {
  classify: () => undefined,
  inspect: (item) => (String(item).startsWith('!') ? { class: String(item).slice(1) } : undefined),
  isContent: (item) => !String(item).startsWith('~'),
}
const withEnd: Producer = { ...producer, isEnd: (item) => item === '.' }

const preamble = (count: number): readonly Move<string>[] =>
  Array.from({ length: count }, (_, n) => ({ item: `~${n}` }))

describe.each(SOURCE_KINDS)('%s, up to its commit', (_kind, make) => {
  /** Streams from `a`, then from `b`, and tells what was asked. */
  const streamed = (byId: Record<string, readonly Move<string>[]>, asked: string[] = [], own = producer) => {
    const told = scene({ candidates: [A, B], producer: own })
    const logs: Record<string, ReturnType<typeof make>['log']> = {}
    const stream = told.guard.stream(({ candidate }) => {
      asked.push(candidate.id)
      const { source, log } = make(byId[candidate.id] ?? [])
      logs[candidate.id] = log
      return source
    })
    return { ...told, stream, logs, asked }
  }

  test('nothing is asked before the first item is', async () => {
    const { stream, asked } = streamed({ a: items('hi') })
    await Promise.resolve()
    expect(asked).toEqual([])
    expect(await stream.next()).toEqual({ done: false, value: 'hi' })
    expect(asked).toEqual(['a'])
  })

  test('a failure before content drops the preamble: the consumer sees one', async () => {
    const { stream, clock, asked } = streamed({
      a: [{ item: '~a' }, { fails: producedError('permanent') }],
      b: items('~b', 'hello', 'world'),
    })
    expect(await clock.run(drained(stream))).toEqual({ items: ['~b', 'hello', 'world'] })
    expect(asked).toEqual(['a', 'b'])
  })

  test('a transient failure before content is retried, with one preamble', async () => {
    let turn = 0
    const told = scene({ candidates: [A], producer })
    const stream = told.guard.stream(() => {
      turn += 1
      return make<string>(turn === 1 ? [{ item: '~1' }, { fails: producedError('transient') }] : items('~2', 'hello'))
        .source
    })
    expect(await told.clock.run(drained(stream))).toEqual({ items: ['~2', 'hello'] })
    expect(told.of('retry')).toHaveLength(1)
    expect(told.of('success')).toMatchObject([{ attempts: 2, delivered: 2 }])
  })

  test('without isContent every item is content', async () => {
    const { stream, clock, asked } = streamed(
      { a: [{ item: '~a' }, { fails: producedError('permanent') }], b: items('no') },
      [],
      { classify: () => undefined },
    )
    const { items: read, error } = await clock.run(drained(stream))
    expect(read).toEqual(['~a'])
    expect(error).toMatchObject({ class: 'permanent' })
    expect(asked).toEqual(['a'])
  })

  test("the call's isContent comes before the producer's", async () => {
    const told = scene({ candidates: [A, B], producer })
    const stream = told.guard.stream(
      ({ candidate }) =>
        make<string>(candidate.id === 'a' ? [{ item: 'x' }, { fails: producedError('permanent') }] : items('y', '*'))
          .source,
      { isContent: (item) => item === '*' },
    )
    expect(await told.clock.run(drained(stream))).toEqual({ items: ['y', '*'] })
  })

  test('64 preamble items are held and dropped', async () => {
    const { stream, clock } = streamed({
      a: [...preamble(64), { fails: producedError('permanent') }],
      b: items('hello'),
    })
    expect(await clock.run(drained(stream))).toEqual({ items: ['hello'] })
  })

  test('with more than 64 the call commits', async () => {
    const { stream, clock, asked, of } = streamed({
      a: [...preamble(65), { fails: producedError('permanent') }],
      b: items('no'),
    })
    const { items: read, error } = await clock.run(drained(stream))
    expect(read).toHaveLength(65)
    expect(error).toMatchObject({ class: 'permanent' })
    expect(asked).toEqual(['a'])
    expect(of('commit')).toMatchObject([{ by: 'held_limit' }])
  })

  test('an error item before content is a failure, and is not delivered', async () => {
    const { stream, clock, asked, of } = streamed({ a: items('~a', '!permanent'), b: items('~b', 'hello') })
    expect(await clock.run(drained(stream))).toEqual({ items: ['~b', 'hello'] })
    expect(asked).toEqual(['a', 'b'])
    expect(of('failure')).toMatchObject([{ candidate: 'a', class: 'permanent' }])
  })

  test('an error item that surfaces unwrapped is delivered, with what was held and what follows', async () => {
    const { stream, clock, asked, of, names } = streamed({ a: items('~1', '~2', '!quota_of_mars', 'tail') })
    expect(await clock.run(drained(stream))).toEqual({ items: ['~1', '~2', '!quota_of_mars', 'tail'] })
    expect(asked).toEqual(['a'])
    expect(of('surface')).toMatchObject([{ reason: 'unknown_class', class: 'quota_of_mars', attempts: 1 }])
    expect(names().filter((name) => name === 'success' || name === 'surface')).toEqual(['surface'])
  })

  test('an error item made of several outcomes is wrapped and thrown', async () => {
    const { stream, clock } = streamed({ a: items('~a', '!permanent'), b: items('~b', '!permanent') })
    const { items: read, error } = await clock.run(drained(stream))
    expect(read).toEqual([])
    expect(error).toMatchObject({ name: 'HeedError', reason: 'all_permanent', class: 'permanent', cause: '!permanent' })
  })

  test('an end before content is ambiguous and is not replayed', async () => {
    const { stream, clock, asked, of } = streamed({ a: items('~a'), b: items('no') })
    const { items: read, error } = await clock.run(drained(stream))
    expect(read).toEqual([])
    expect(error).toMatchObject({ name: 'HeedError', reason: 'incomplete_stream' })
    expect((error as { class?: string }).class).toBeUndefined()
    expect((error as Error).cause).toBeUndefined()
    expect(asked).toEqual(['a'])
    expect(of('failure')).toMatchObject([{ ambiguous: true, found: 'incomplete_stream' }])
    expect(of('surface')).toMatchObject([{ reason: 'incomplete_stream' }])
  })

  test('an end before content is tried again where the call is idempotent', async () => {
    let turn = 0
    const told = scene({ candidates: [A], producer, idempotent: true })
    const stream = told.guard.stream(() => {
      turn += 1
      return make<string>(turn === 1 ? items('~1') : items('~2', 'hello')).source
    })
    expect(await told.clock.run(drained(stream))).toEqual({ items: ['~2', 'hello'] })
  })

  test('an end before content is fine where the stream may be empty', async () => {
    const told = scene({ candidates: [A], producer })
    const open = (moves: readonly Move<string>[]) =>
      told.guard.stream(() => make<string>(moves).source, { allowEmpty: true })
    expect(await drained(open([]))).toEqual({ items: [] })
    expect(await drained(open(items('~1', '~2')))).toEqual({ items: ['~1', '~2'] })
    expect(told.of('success')).toMatchObject([{ delivered: 0 }, { delivered: 2 }])
  })

  test('an empty stream still needs its end where there is one', async () => {
    const told = scene({ candidates: [A], producer: { ...withEnd, isContent: (item) => item !== '.' && item !== '~' } })
    const open = (moves: readonly Move<string>[]) =>
      told.guard.stream(() => make<string>(moves).source, { allowEmpty: true })
    expect(await drained(open(items('~')))).toMatchObject({ items: [], error: { reason: 'incomplete_stream' } })
    expect(await drained(open(items('~', '.')))).toEqual({ items: ['~', '.'] })
  })

  test('an end after commit without the item that says so is incomplete', async () => {
    const { stream, clock, of, logs } = streamed({ a: items('~a', 'half') }, [], withEnd)
    const { items: read, error } = await clock.run(drained(stream))
    expect(read).toEqual(['~a', 'half'])
    expect(error).toMatchObject({ reason: 'incomplete_stream' })
    expect(of('surface')).toMatchObject([{ reason: 'incomplete_stream' }])
    expect(logs['b']).toBeUndefined()
  })

  test('an end with the item that says so is complete', async () => {
    const { stream, clock, of } = streamed({ a: items('~a', 'all', '.') }, [], withEnd)
    expect(await clock.run(drained(stream))).toEqual({ items: ['~a', 'all', '.'] })
    expect(of('success')).toMatchObject([{ delivered: 3 }])
  })

  test('the item that commits may be the one that says so', async () => {
    const { stream, clock } = streamed({ a: items('.') }, [], withEnd)
    expect(await clock.run(drained(stream))).toEqual({ items: ['.'] })
  })

  test("the call's isEnd comes before the producer's", async () => {
    const told = scene({ candidates: [A], producer: withEnd })
    const stream = told.guard.stream(() => make<string>(items('x', '.')).source, { isEnd: (item) => item === 'fin' })
    expect(await drained(stream)).toMatchObject({ items: ['x', '.'], error: { reason: 'incomplete_stream' } })
  })

  test('attempt.commit() ends the holding', async () => {
    const told = scene({ candidates: [A, B], producer })
    const stream = told.guard.stream((attempt) => {
      attempt.commit()
      return make<string>([{ item: '~1' }, { fails: producedError('transient') }]).source
    })
    const { items: read, error } = await told.clock.run(drained(stream))
    expect(read).toEqual(['~1'])
    expect(error).toMatchObject({ class: 'transient' })
    expect(told.of('commit')).toMatchObject([{ by: 'attempt' }])
    expect(told.of('attempt')).toHaveLength(1)
  })

  test('commit is told once, before the first item is handed over', async () => {
    const { stream, of } = streamed({ a: items('~a', 'one', 'two') })
    await stream.next()
    expect(of('commit')).toMatchObject([{ by: 'content', candidate: 'a', number: 1 }])
    await drained(stream)
    expect(of('commit')).toHaveLength(1)
  })

  test('a stream promised later is the same', async () => {
    const told = scene({ candidates: [A, B], producer })
    const stream = told.guard.stream(async ({ candidate }) => {
      if (candidate.id === 'a') throw producedError('permanent')
      return make<string>(items('~b', 'hello')).source
    })
    expect(await told.clock.run(drained(stream))).toEqual({ items: ['~b', 'hello'] })
  })

  test('a source that failed before its commit is closed', async () => {
    const { stream, clock, logs } = streamed({ a: items('~a', '!permanent', 'never'), b: items('hello') })
    await clock.run(drained(stream))
    expect(logs['a']).toMatchObject({ pulled: 2, closed: 1 })
  })
})
