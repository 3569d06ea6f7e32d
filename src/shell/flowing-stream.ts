import { AttemptHandle } from './attempt.ts'
import type { Call } from './call.ts'
import { inspectAnswer } from './classify.ts'
import { left, timedOut } from './cut-reasons.ts'
import { end } from './end.ts'
import type { EndWatch } from './end-watch.ts'
import { fail } from './fail.ts'
import { GuardedReads } from './guarded-reads.ts'
import { IdleWatch } from './idle-watch.ts'
import { type Abortable, linkAbort, unlinkAbort } from './link-abort.ts'
import { nextDecision } from './next-decision.ts'
import type { Opened } from './open-stream.ts'
import type { AttemptFailure } from './run-attempt.ts'
import { closeQuietly, noResult, type Source } from './source.ts'
import { succeed } from './succeed.ts'

type Result = IteratorResult<unknown, undefined>

const DONE: Result = Object.freeze({ done: true, value: undefined })

/**
 * A stream after its commit: items pass straight through and nothing is ever replayed. What it adds is to notice the
 * end, an error, an abort and a silence.
 */
export class FlowingStream implements Abortable {
  /** Whether the attempt serves the call; otherwise it has failed already and is passed on as it is. */
  readonly serves: boolean
  /** The attempts before, and the wait before this one, as they were at the commit. */
  readonly records: Call['records']
  readonly waitedMs: number
  readonly #call: Call
  readonly #handle: AttemptHandle | undefined
  readonly #source: Source
  readonly #held: IteratorResult<unknown>[]
  readonly #looks: boolean
  readonly #watch: EndWatch
  readonly #reads: GuardedReads | undefined
  readonly #idle: IdleWatch | undefined
  readonly #sourceEnded: boolean
  /** Whether the call has been told how it ended. */
  #told: boolean
  #over = false
  #delivered = 0
  /** Reads of the source that have not been answered. */
  #reading = 0
  /** What ended the stream while nobody was reading; the next read hears of it. */
  #unheard: { readonly error: unknown } | undefined

  constructor(call: Call, { source, held, ended, end: watch, handle }: Opened, serves: boolean) {
    const { engine, signal } = call
    this.serves = serves
    this.records = call.records
    this.waitedMs = call.waitedMs
    this.#call = call
    this.#handle = handle
    this.#source = source
    this.#held = held
    this.#sourceEnded = ended
    this.#watch = watch
    this.#told = !serves
    this.#looks = serves && (call.producer?.inspect !== undefined || watch.asks)
    if (engine.parts.idleTimeoutMs < Number.POSITIVE_INFINITY) {
      const silent = (): void =>
        this.#stop({ ok: false, error: undefined, found: 'idle_timeout' }, timedOut('idleTimeoutMs'))
      this.#idle = new IdleWatch(engine, () => this.#reads?.waiting === true, silent)
    }
    if (signal !== undefined || this.#idle !== undefined) {
      this.#reads = new GuardedReads(source, this.#took, this.#lost, this.#idle)
    }
    if (signal !== undefined) linkAbort(signal, this)
    // The caller may have aborted between the commit and this moment.
    if (signal?.aborted === true) this.abort()
  }

  next(): Promise<Result> {
    if (this.#over) return this.#afterEnd()
    if (this.#held.length > 0) {
      this.#delivered += 1
      return Promise.resolve(this.#held.shift() as Result)
    }
    if (this.#sourceEnded) return Promise.resolve(this.#finish())
    this.#reading += 1
    if (this.#reads !== undefined) return this.#reads.next()
    return this.#source.next().then(this.#took, this.#lost)
  }

  /**
   * The consumer's own end: a success with what it took. The source is told and not waited for, as with an abort: it may
   * hang in its own end, and how it takes that concerns nobody who has left.
   */
  leave(reason: unknown): void {
    if (this.#over) return
    this.#end()
    closeQuietly(this.#source, reason)
    // A source in the middle of a read hears of its end only when that read is over: the attempt's signal ends it.
    if (this.#reading > 0) {
      if (this.#handle !== undefined) AttemptHandle.cut(this.#handle, left())
      this.#reads?.finish(DONE)
    }
    // Last, for a clock of the user's may throw.
    if (!this.#told) succeed(this.#call, this.#delivered)
  }

  /** The caller's signal has aborted. */
  abort(): void {
    this.#call.abort()
    this.#stop({ ok: false, error: this.#call.abortReason, found: 'aborted' }, this.#call.abortReason)
  }

  /** Passes an item on as it is. */
  readonly #took = (result: IteratorResult<unknown>): Result => {
    this.#reading -= 1
    if (this.#over) return DONE
    let item: unknown
    let done: boolean
    try {
      if (typeof result !== 'object' || result === null) throw noResult()
      done = result.done === true
      if (!done && this.#looks) item = result.value
    } catch (error) {
      throw this.#fail({ ok: false, error })
    }
    if (done) return this.#finish()
    this.#delivered += 1
    if (this.#looks) this.#look(item)
    return result
  }

  readonly #lost = (error: unknown): Result => {
    this.#reading -= 1
    if (this.#over) return DONE
    throw this.#fail({ ok: false, error })
  }

  #afterEnd(): Promise<Result> {
    const unheard = this.#unheard
    this.#unheard = undefined
    return unheard === undefined ? Promise.resolve(DONE) : Promise.reject(unheard.error)
  }

  /** Reads what an item says of the end, or of a failure; either way it is passed on. */
  #look(item: unknown): void {
    this.#watch.look(item)
    if (this.#told) return
    const answered = inspectAnswer(this.#call, item)
    if (answered !== undefined) this.#tell({ ok: false, error: item, answered })
  }

  #finish(): Result {
    if (this.#over) return DONE
    if (!this.#sourceEnded && this.#watch.missing && !this.#told) {
      throw this.#fail({ ok: false, error: undefined, found: 'incomplete_stream' })
    }
    this.#end()
    if (!this.#told) succeed(this.#call, this.#delivered)
    return DONE
  }

  /** Ends the call with a failure and answers what to throw. */
  #fail(failure: AttemptFailure): unknown {
    const error = this.#tell(failure)
    this.#end()
    closeQuietly(this.#source)
    return error
  }

  /** A failure after commit: it is classified and marked as any other, and surfaces as it came. */
  #tell(failure: AttemptFailure): unknown {
    if (this.#told) return failure.error
    this.#told = true
    try {
      const decision = nextDecision(this.#call, fail(this.#call, failure))
      return decision.kind === 'surface' ? end(this.#call, decision).error : failure.error
    } catch (error) {
      // A clock of the user's, say: the stream ends all the same.
      return error
    }
  }

  /** Ends the stream from outside: at once, whatever the source does. */
  #stop(failure: AttemptFailure, reason: unknown): void {
    if (this.#over) return
    const error = this.#tell(failure)
    this.#end()
    if (this.#reads?.waiting === true) this.#reads.end(error)
    else this.#unheard = { error }
    if (this.#handle !== undefined) AttemptHandle.cut(this.#handle, reason)
    closeQuietly(this.#source, reason)
  }

  #end(): void {
    this.#over = true
    const { signal } = this.#call
    if (signal !== undefined) unlinkAbort(signal, this)
    this.#idle?.stop()
  }
}
