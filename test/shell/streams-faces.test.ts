import { producedError } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, outcomeOf, scene } from './scene.ts'
import { drained, items, SOURCE_KINDS } from './sources.ts'

const producer = {
  classify: () => undefined,
  inspect: (item: unknown) => (String(item).startsWith('!') ? { class: String(item).slice(1) } : undefined),
  isContent: (item: unknown) => !String(item).startsWith('~'),
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('opened', () => {
  test('reading it starts the call, and it settles at the commit', async () => {
    const told = scene({ candidates: [A, B], producer })
    const stream = told.guard.stream(
      ({ candidate }) =>
        SOURCE_KINDS[1]![1](candidate.id === 'a' ? [{ fails: producedError('permanent') }] : items('~', 'x')).source,
    )
    const served = await stream.opened
    expect(served.candidate).toBe(B)
    expect(served.attempts).toMatchObject([{ candidate: 'a', class: 'permanent' }, { candidate: 'b' }])
    expect(await drained(stream)).toEqual({ items: ['~', 'x'] })
    expect(told.of('attempt')).toHaveLength(2)
  })

  test('it rejects with what the call surfaces, and the reader hears of it too', async () => {
    const told = scene({ candidates: [A] })
    const error = new Error('x')
    const stream = told.guard.stream<string>(() => Promise.reject(error))
    expect(await outcomeOf(stream.opened)).toEqual({ error })
    expect(await outcomeOf(stream.next())).toEqual({ error })
  })

  test('it counts the attempts made, also where an error item is delivered', async () => {
    const told = scene({ candidates: [A, B], producer })
    const stream = told.guard.stream(() => SOURCE_KINDS[1]![1](items('~', '!quota_of_mars')).source)
    const settled = await outcomeOf(stream.opened)
    expect(told.of('attempt')).toHaveLength(1)
    if ('value' in settled) expect(settled.value.attempts).toHaveLength(1)
    expect((await drained(stream)).items).toEqual(['~', '!quota_of_mars'])
  })

  test('after return() it rejects, and nothing is asked', async () => {
    const told = scene({ candidates: [A] })
    const stream = told.guard.stream(() => SOURCE_KINDS[0]![1](items('x')).source)
    await stream.return()
    expect(await outcomeOf(stream.opened)).toMatchObject({ error: { name: 'AbortError' } })
    expect(told.heard).toEqual([])
  })
})

describe.each(SOURCE_KINDS)('toReadableStream over %s', (_kind, make) => {
  test('asks for nothing until it is read, and never ahead', async () => {
    const told = scene({ candidates: [A], producer })
    const { source, log } = make<string>(items('1', '2', '3'))
    const reader = told.guard
      .stream(() => source)
      .toReadableStream()
      .getReader()
    await turn()
    expect(log.pulled).toBe(0)
    expect(await reader.read()).toEqual({ done: false, value: '1' })
    await turn()
    expect(log.pulled).toBe(1)
    expect(await reader.read()).toEqual({ done: false, value: '2' })
    await turn()
    expect(log.pulled).toBe(2)
  })

  test('ends with the source', async () => {
    const told = scene({ candidates: [A], producer })
    const web = told.guard.stream(() => make<string>(items('~', '1')).source).toReadableStream()
    expect(await drained(web)).toEqual({ items: ['~', '1'] })
    expect(told.of('success')).toMatchObject([{ delivered: 2 }])
  })

  test('errors with the same error', async () => {
    const told = scene({ candidates: [A], producer })
    const error = producedError('transient')
    const web = told.guard.stream(() => make<string>([{ item: '1' }, { fails: error }]).source).toReadableStream()
    const { items: read, error: thrown } = await drained(web)
    expect(read).toEqual(['1'])
    expect(thrown).toBe(error)
  })

  test('cancelling it reaches the source, and is a success with what was taken', async () => {
    const told = scene({ candidates: [A], producer })
    const { source, log } = make<string>(items('1', '2', '3'))
    const reader = told.guard
      .stream(() => source)
      .toReadableStream()
      .getReader()
    await reader.read()
    await reader.cancel('enough')
    expect(log.closed).toBe(1)
    if (source instanceof ReadableStream) expect(log.reason).toBe('enough')
    expect(told.of('success')).toMatchObject([{ delivered: 1 }])
  })

  test('cancelling it before it is read asks for nothing', async () => {
    const told = scene({ candidates: [A], producer })
    const { source, log } = make<string>(items('1'))
    await told.guard
      .stream(() => source)
      .toReadableStream()
      .cancel()
    expect(log.pulled).toBe(0)
    expect(told.heard).toEqual([])
  })
})

describe('sources that misbehave', () => {
  const open = (give: () => unknown) => {
    const told = scene({ candidates: [A, B], producer })
    return { ...told, stream: told.guard.stream(give as () => AsyncIterable<string>) }
  }
  const iterator = (methods: object) => ({ [Symbol.asyncIterator]: () => methods })
  const endings = (names: readonly string[]): number => names.filter((n) => n === 'success' || n === 'surface').length

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a string', 'abc'],
    ['an array', ['a', 'b']],
    ['an object', {}],
    ['a number', 5],
  ])('%s is no stream: a TypeError, and no further attempt', async (_name, given) => {
    const { stream, of } = open(() => given)
    expect((await drained(stream)).error).toBeInstanceOf(TypeError)
    expect(of('attempt')).toHaveLength(1)
  })

  test('a function that throws is a failure like any other', async () => {
    const error = producedError('permanent')
    const { stream, of } = open(() => {
      throw error
    })
    expect((await drained(stream)).error).toMatchObject({ reason: 'all_permanent', cause: error })
    expect(of('attempt')).toHaveLength(2)
  })

  test('a locked web stream is a failure', async () => {
    const web = new ReadableStream<string>()
    web.getReader()
    const { stream } = open(() => web)
    expect((await drained(stream)).error).toBeInstanceOf(TypeError)
  })

  test('an iterator that cannot be made is a failure', async () => {
    const error = producedError('permanent')
    const { stream, of } = open(() => ({
      [Symbol.asyncIterator]: () => {
        throw error
      },
    }))
    expect((await drained(stream)).error).toMatchObject({ reason: 'all_permanent' })
    expect(of('attempt')).toHaveLength(2)
  })

  test('plain results are read like promised ones', async () => {
    let n = 0
    const { stream } = open(() =>
      iterator({
        next: () => {
          n += 1
          return n > 3 ? { done: true, value: undefined } : { done: false, value: `${n}` }
        },
      }),
    )
    expect(await drained(stream)).toEqual({ items: ['1', '2', '3'] })
  })

  test.each([1, 2])('a next() that throws at item %i is a rejection', async (at) => {
    const error = producedError('permanent')
    let n = 0
    const { stream, names } = open(() =>
      iterator({
        next: () => {
          n += 1
          if (n === at) throw error
          n = n === at + 1 ? 0 : n
          return { done: false, value: `${n}` }
        },
      }),
    )
    const read = await drained(stream)
    if (at === 2) expect(read).toEqual({ items: ['1'], error })
    else expect(read.error).toBeDefined()
    expect(endings(names())).toBe(1)
  })

  test('a next() that answers no result after commit ends the call once', async () => {
    let n = 0
    let closed = 0
    const { stream, names } = open(() =>
      iterator({
        next: () => {
          n += 1
          return n === 1 ? { done: false, value: '1' } : undefined
        },
        return: () => {
          closed += 1
          return { done: true, value: undefined }
        },
      }),
    )
    const { items: read, error } = await drained(stream)
    expect(read).toEqual(['1'])
    expect(error).toBeInstanceOf(TypeError)
    expect(endings(names())).toBe(1)
    expect(closed).toBe(1)
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  test('a failed source whose return() throws or rejects changes nothing', async () => {
    for (const give of [
      () => {
        throw new Error('return threw')
      },
      () => Promise.reject(new Error('return rejected')),
      () => 5,
    ]) {
      const error = producedError('transient')
      let n = 0
      const { stream } = open(() =>
        iterator({
          next: () => {
            n += 1
            return n === 1 ? Promise.resolve({ done: false, value: '1' }) : Promise.reject(error)
          },
          return: give,
        }),
      )
      expect(await drained(stream)).toEqual({ items: ['1'], error })
    }
  })

  test('a web stream written by hand, whose reader answers plain results, is read to its end', async () => {
    let n = 0
    const { stream } = open(() => ({
      getReader: () => ({
        read: () => {
          n += 1
          return n > 3 ? { done: true, value: undefined } : { done: false, value: `${n}` }
        },
        cancel: () => undefined,
      }),
    }))
    expect(await drained(stream)).toEqual({ items: ['1', '2', '3'] })
  })

  test('an isContent that throws is reported and commits', async () => {
    const told = scene({ candidates: [A] })
    const stream = told.guard.stream(() => SOURCE_KINDS[1]![1](items('1', '2')).source, {
      isContent: () => {
        throw new Error('x')
      },
    })
    expect(await drained(stream)).toEqual({ items: ['1', '2'] })
    expect(told.of('malformed')).toMatchObject([{ source: 'stream', field: 'isContent', fault: 'threw' }])
  })

  test('an inspect that throws is reported and the item passes', async () => {
    const told = scene({
      candidates: [A],
      producer: {
        classify: () => undefined,
        inspect: () => {
          throw new Error('x')
        },
      },
    })
    const stream = told.guard.stream(() => SOURCE_KINDS[1]![1](items('1')).source)
    expect(await drained(stream)).toEqual({ items: ['1'] })
    expect(told.of('malformed').length).toBeGreaterThan(0)
  })

  test('iterating twice goes on where the first loop ended', async () => {
    const { stream } = open(() => SOURCE_KINDS[1]![1](items('1', '2', '3')).source)
    expect((await stream.next()).value).toBe('1')
    expect(await drained(stream)).toEqual({ items: ['2', '3'] })
    expect(await drained(stream)).toEqual({ items: [] })
  })
})
