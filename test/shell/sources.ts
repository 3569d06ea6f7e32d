/** What a stream of a test does in turn. */
export type Move<T> = { readonly item: T } | { readonly fails: unknown } | { readonly stalls: true }

/** What happened to a source. */
export interface SourceLog {
  /** Times that an item was asked for. */
  pulled: number
  /** Times that it was told that nobody reads on. */
  closed: number
  reason?: unknown
}

/** A source and what happened to it. */
export interface Logged<S> {
  readonly source: S
  readonly log: SourceLog
}

/** Makes a source that makes the moves and then ends. */
export type SourceKind = <T>(moves: readonly Move<T>[]) => Logged<AsyncIterable<T> | ReadableStream<T>>

const never = (): Promise<never> => new Promise(() => undefined)

function fromGenerator<T>(moves: readonly Move<T>[]): Logged<AsyncIterable<T>> {
  const log: SourceLog = { pulled: 0, closed: 0 }
  async function* generate(): AsyncGenerator<T> {
    let failed = false
    try {
      for (const move of moves) {
        log.pulled += 1
        if ('fails' in move) {
          failed = true
          throw move.fails
        }
        if ('stalls' in move) await never()
        else yield move.item
      }
      log.pulled += 1
      failed = true
    } finally {
      // A generator that threw or ended has closed itself.
      if (!failed) log.closed += 1
    }
  }
  return { source: generate(), log }
}

function fromIterator<T>(moves: readonly Move<T>[]): Logged<AsyncIterable<T>> {
  const log: SourceLog = { pulled: 0, closed: 0 }
  let place = 0
  const source: AsyncIterable<T> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        log.pulled += 1
        const move = moves[place]
        // Who stalls once stalls for every read from then on.
        if (move !== undefined && 'stalls' in move) return never()
        place += 1
        if (move === undefined) return { done: true, value: undefined }
        if ('fails' in move) throw move.fails
        return { done: false, value: move.item }
      },
      return: async () => {
        log.closed += 1
        return { done: true, value: undefined }
      },
    }),
  }
  return { source, log }
}

function fromWebStream<T>(moves: readonly Move<T>[]): Logged<ReadableStream<T>> {
  const log: SourceLog = { pulled: 0, closed: 0 }
  let place = 0
  const source = new ReadableStream<T>(
    {
      pull: (controller) => {
        log.pulled += 1
        const move = moves[place]
        place += 1
        if (move === undefined) controller.close()
        else if ('fails' in move) controller.error(move.fails)
        else if ('stalls' in move) return never()
        else controller.enqueue(move.item)
        return undefined
      },
      cancel: (reason) => {
        log.closed += 1
        log.reason = reason
      },
    },
    { highWaterMark: 0 },
  )
  return { source, log }
}

/** Every kind of source that a streamed call may answer. */
export const SOURCE_KINDS: readonly (readonly [name: string, make: SourceKind])[] = [
  ['an async generator', fromGenerator],
  ['an iterator written by hand', fromIterator],
  ['a web stream', fromWebStream],
]

/** Moves that give these items. */
export const items = <T>(...given: readonly T[]): readonly Move<T>[] => given.map((item) => ({ item }))

/** Reads a stream to its end. What it threw, if it did, is beside the items. */
export async function drained<T>(stream: AsyncIterable<T>): Promise<{ items: T[]; error?: unknown }> {
  const read: T[] = []
  try {
    for await (const item of stream) read.push(item)
  } catch (error) {
    return { items: read, error }
  }
  return { items: read }
}
