/** What a streamed call reads from: an iterator or a web stream's reader, seen alike. */
export interface Source {
  next(): Promise<IteratorResult<unknown>>
  /** Tells the source that nobody reads on. Resolves when it has closed. */
  close(reason?: unknown): Promise<unknown>
}

/** Opens what a streamed call's function gave. */
export function sourceOf(given: unknown): Source {
  const stream = given as Partial<ReadableStream<unknown> & AsyncIterable<unknown>> | null | undefined
  if (typeof stream?.getReader === 'function') {
    const reader = stream.getReader()
    return {
      // A reader answers `{ done, value }` as an iterator does.
      next: () => promised(() => reader.read() as Promise<IteratorResult<unknown>>),
      close: (reason) => promised(() => reader.cancel(reason)),
    }
  }
  const open = stream?.[Symbol.asyncIterator]
  if (typeof open !== 'function') {
    throw new TypeError('heed: a streamed call must answer an async iterable, a ReadableStream, or a promise of either')
  }
  const iterator = open.call(stream) as AsyncIterator<unknown>
  return {
    next: () => promised(() => iterator.next()),
    close: async () => iterator.return?.(),
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

/** A source written by hand may answer at once, or throw at once. */
function promised<T>(answer: () => T | PromiseLike<T>): Promise<T> {
  try {
    return Promise.resolve(answer())
  } catch (error) {
    return Promise.reject(error)
  }
}
