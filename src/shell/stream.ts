import type { Candidate } from '../core/candidate.ts'
import type { Served, StreamOptions } from '../options.ts'
import { Call } from './call.ts'
import { left } from './cut-reasons.ts'
import type { Ended } from './end.ts'
import type { Engine } from './engine.ts'
import { servedBy } from './execute.ts'
import { FlowingStream } from './flowing-stream.ts'
import { type Opened, Opening, openStream } from './open-stream.ts'
import type { AttemptRunner } from './run-attempt.ts'
import { runCall } from './run-call.ts'

/** A streamed call: iterate it once, or make a web stream of it. */
export interface HeedStream<T, C> extends AsyncIterableIterator<T, undefined, unknown> {
  /**
   * Who serves, at the commit. Reading it starts the call. It rejects where the call throws before; a failure that is
   * delivered as the item it was resolves it, with the attempts made.
   */
  readonly opened: Promise<Served<C>>
  /** The same items as a web stream with back-pressure; cancelling it reaches the source. */
  toReadableStream(): ReadableStream<T>
  /** Ends the call at once, as `break` does. The source is told to close and not waited for: it may hang in that. */
  return(value?: unknown): Promise<IteratorResult<T, undefined>>
  [Symbol.asyncIterator](): HeedStream<T, C>
}

type Result = IteratorResult<unknown, undefined>
type Options = StreamOptions<Candidate, unknown, unknown>

const DONE: Result = Object.freeze({ done: true, value: undefined })

/** What `guard.stream` answers. The call starts at the first `next()`, or when `opened` is read. */
export class StreamedCall implements HeedStream<unknown, unknown> {
  readonly #engine: Engine
  readonly #fn: (attempt: never) => unknown
  readonly #options: Options
  #call: Call | undefined
  #opening: Opening | undefined
  #started: Promise<FlowingStream> | undefined
  #served: Promise<Served<unknown>> | undefined
  #flowing: FlowingStream | undefined
  #over = false

  constructor(engine: Engine, fn: (attempt: never) => unknown, options: Options) {
    this.#engine = engine
    this.#fn = fn
    this.#options = options
  }

  next(): Promise<Result> {
    if (this.#flowing !== undefined) return this.#flowing.next()
    if (this.#over) return Promise.resolve(DONE)
    // Overlapping reads queue up behind the start, in order.
    return this.#start().then(
      () => this.next(),
      (error: unknown) => {
        if (this.#over) return DONE
        this.#over = true
        throw error
      },
    )
  }

  async return(reason?: unknown): Promise<Result> {
    const flowing = this.#flowing
    if (flowing !== undefined) flowing.leave(reason)
    else if (!this.#over) this.#call?.stop(left())
    this.#over = true
    return DONE
  }

  get opened(): Promise<Served<unknown>> {
    if (this.#served === undefined) {
      this.#served = this.#start().then((flowing) => servedBy(this.#call as Call, flowing.serves, flowing))
      // The consumer hears of a failure from `next()` too; who only iterates need not handle it twice.
      this.#served.catch(() => undefined)
    }
    return this.#served
  }

  toReadableStream(): ReadableStream<unknown> {
    return new ReadableStream<unknown>(
      {
        pull: async (controller) => {
          const result = await this.next()
          if (result.done === true) controller.close()
          else controller.enqueue(result.value)
        },
        cancel: async (reason) => {
          await this.return(reason)
        },
      },
      { highWaterMark: 0 },
    )
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #start(): Promise<FlowingStream> {
    if (this.#started === undefined) {
      this.#started = this.#over ? Promise.reject(left()) : this.#open()
      this.#started.catch(() => undefined)
    }
    return this.#started
  }

  async #open(): Promise<FlowingStream> {
    const call = new Call(this.#engine, this.#fn, this.#options, true)
    this.#call = call
    const run: AttemptRunner<Opened> = (of, told) => {
      this.#opening = new Opening(of)
      openStream(of, this.#opening, told)
    }
    const flowing = this.#flow(call, await runCall(call, run))
    this.#flowing = flowing
    if (this.#over) flowing.leave(undefined)
    return flowing
  }

  #flow(call: Call, ended: Ended<Opened>): FlowingStream {
    if (ended.ok) return new FlowingStream(call, ended.value, true)
    const opening = this.#opening
    if (!ended.answer || opening?.source === undefined) {
      call.drop()
      throw ended.error
    }
    // The failure was an item of the stream and is passed on as it came, with what came before and comes after it.
    const { source, held, end, handle } = opening
    return new FlowingStream(call, { source, held, end, handle, ended: false }, false)
  }
}
