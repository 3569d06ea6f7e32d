/** What a streamed call reads from: an iterator or a web stream's reader, seen alike. */
export interface Source {
  next(): Promise<IteratorResult<unknown>>
  /** Tells the source that nobody reads on. Resolves when it has closed. */
  close(reason?: unknown): Promise<unknown>
}

/** Opens what a streamed call's function gave. */
export function sourceOf(given: unknown): Source {
  const stream = given as Partial<ReadableStream<unknown> & AsyncIterable<unknown>> | null | undefined
  if (typeof stream?.getReader === 'function') return new ReaderSource(stream.getReader())
  const open = stream?.[Symbol.asyncIterator]
  if (typeof open !== 'function') {
    throw new TypeError('heed: a streamed call must answer an async iterable, a ReadableStream, or a promise of either')
  }
  return new IteratorSource(open.call(stream) as AsyncIterator<unknown>)
}

class IteratorSource implements Source {
  readonly #iterator: AsyncIterator<unknown>

  constructor(iterator: AsyncIterator<unknown>) {
    this.#iterator = iterator
  }

  next(): Promise<IteratorResult<unknown>> {
    try {
      return promiseOf(this.#iterator.next())
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async close(): Promise<unknown> {
    return this.#iterator.return?.()
  }
}

class ReaderSource implements Source {
  readonly #reader: ReadableStreamDefaultReader<unknown>

  constructor(reader: ReadableStreamDefaultReader<unknown>) {
    this.#reader = reader
  }

  next(): Promise<IteratorResult<unknown>> {
    try {
      // A reader answers `{ done, value }` as an iterator does.
      return promiseOf(this.#reader.read() as Promise<IteratorResult<unknown>>)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async close(reason?: unknown): Promise<unknown> {
    return this.#reader.cancel(reason)
  }
}

/** Closes a source that failed or came too late; how it takes that concerns nobody. */
export function closeQuietly(source: Source, reason?: unknown): void {
  source.close(reason).then(undefined, () => undefined)
}

/** What a source answers that does not keep to the protocol. */
export function noResult(): TypeError {
  return new TypeError('heed: the source of a stream answered something that is no iterator result')
}

/** A source written by hand may answer a plain result, at once. */
function promiseOf<T>(answer: T | PromiseLike<T>): Promise<T> {
  return answer instanceof Promise ? answer : Promise.resolve(answer)
}
