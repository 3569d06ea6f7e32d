import { AttemptHandle } from './attempt.ts'
import type { Call } from './call.ts'
import { inspectAnswer } from './classify.ts'
import { end } from './end.ts'
import { fail } from './fail.ts'
import { type Abortable, linkAbort, unlinkAbort } from './link-abort.ts'
import { nextDecision } from './next-decision.ts'
import { isEnd, knowsEnd, type Opened } from './open-stream.ts'
import type { AttemptFailure } from './run-attempt.ts'
import { timedOut } from './running-attempt.ts'
import { closeQuietly, type Source } from './source.ts'
import { succeed } from './succeed.ts'
import type { Alarm } from './timer-queue.ts'

type Result = IteratorResult<unknown, undefined>

const DONE: Result = Object.freeze({ done: true, value: undefined })

/**
 * A stream after its commit: items pass straight through and nothing is ever replayed. What it adds is to notice the
 * end, an error, an abort and a silence.
 */
export class FlowingStream implements Abortable {
  readonly #call: Call
  readonly #handle: AttemptHandle | undefined
  readonly #source: Source
  readonly #held: IteratorResult<unknown>[]
  readonly #looks: boolean
  readonly #needsEnd: boolean
  readonly #idleMs: number
  readonly #guarded: boolean
  #endSeen: boolean
  #sourceEnded: boolean
  /** Whether the call has been told how it ended. */
  #told: boolean
  #over = false
  #delivered = 0
  /** Settles the reads that are under way. */
  #cut: ((error: unknown) => void) | undefined
  #pending = 0
  /** What ended the stream while nobody was reading; the next read hears of it. */
  #unheard: { readonly error: unknown } | undefined
  #alarm: Alarm | undefined
  #silentSinceMs = 0

  /** @param serves - Whether the attempt serves the call; otherwise it has failed already and is passed on as it is. */
  constructor(call: Call, { source, held, ended, endSeen }: Opened, serves: boolean) {
    this.#call = call
    this.#handle = call.handle
    this.#source = source
    this.#held = held
    this.#sourceEnded = ended
    this.#endSeen = endSeen
    this.#told = !serves
    this.#looks = serves && (call.producer?.inspect !== undefined || knowsEnd(call))
    this.#needsEnd = serves && !ended && knowsEnd(call)
    this.#idleMs = call.engine.parts.idleTimeoutMs
    this.#guarded = call.signal !== undefined || this.#idleMs < Number.POSITIVE_INFINITY
    if (call.signal !== undefined) linkAbort(call.signal, this)
    // The caller may have aborted between the commit and this moment.
    if (call.signal?.aborted === true) this.abort()
  }

  next(): Promise<Result> {
    if (this.#over) return this.#afterEnd()
    if (this.#held.length > 0) {
      this.#delivered += 1
      return Promise.resolve(this.#held.shift() as Result)
    }
    if (this.#sourceEnded) return Promise.resolve(this.#finish())
    if (this.#guarded) return this.#guardedNext()
    return this.#source.next().then(this.#took, this.#lost)
  }

  /** The consumer's own end: a success with what it took. */
  async leave(reason: unknown): Promise<void> {
    if (this.#over) return
    this.#end()
    if (!this.#told) succeed(this.#call, this.#delivered)
    await this.#source.close(reason)
  }

  /** The caller's signal has aborted. */
  abort(): void {
    this.#call.abort()
    this.#stop({ ok: false, error: this.#call.abortReason, found: 'aborted' }, this.#call.abortReason)
  }

  /** Passes an item on as it is. */
  readonly #took = (result: IteratorResult<unknown>): Result => {
    if (this.#over) return DONE
    if (result.done === true) return this.#finish()
    this.#delivered += 1
    if (this.#looks) this.#look(result.value)
    return result
  }

  readonly #lost = (error: unknown): never => {
    if (this.#over) throw error
    throw this.#fail({ ok: false, error })
  }

  /** A read that an abort or a silence settles at once, however long the source takes. */
  #guardedNext(): Promise<Result> {
    return new Promise((resolve, reject) => {
      const before = this.#cut
      this.#cut = (error) => {
        before?.(error)
        reject(error)
      }
      this.#pending += 1
      if (this.#idleMs < Number.POSITIVE_INFINITY) this.#awaitItem()
      this.#source.next().then(this.#took, this.#lost).then(resolve, reject).then(this.#settled)
    })
  }

  readonly #settled = (): void => {
    this.#pending -= 1
    if (this.#pending === 0) this.#cut = undefined
  }

  #afterEnd(): Promise<Result> {
    const unheard = this.#unheard
    this.#unheard = undefined
    return unheard === undefined ? Promise.resolve(DONE) : Promise.reject(unheard.error)
  }

  /** Reads what an item says of the end, or of a failure; either way it is passed on. */
  #look(item: unknown): void {
    this.#endSeen ||= this.#needsEnd && isEnd(this.#call, item)
    if (this.#told) return
    const answered = inspectAnswer(this.#call, item)
    if (answered !== undefined) this.#tell({ ok: false, error: item, answered })
  }

  #finish(): Result {
    if (this.#over) return DONE
    if (this.#needsEnd && !this.#endSeen && !this.#told) {
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
    const decision = nextDecision(this.#call, fail(this.#call, failure))
    return decision.kind === 'surface' ? end(this.#call, decision).error : failure.error
  }

  /** Ends the stream from outside: at once, whatever the source does. */
  #stop(failure: AttemptFailure, reason: unknown): void {
    if (this.#over) return
    const error = this.#tell(failure)
    this.#end()
    if (this.#pending === 0) this.#unheard = { error }
    else this.#cut?.(error)
    if (this.#handle !== undefined) AttemptHandle.cut(this.#handle, reason)
    closeQuietly(this.#source, reason)
  }

  #end(): void {
    this.#over = true
    const { signal, engine } = this.#call
    if (signal !== undefined) unlinkAbort(signal, this)
    if (this.#alarm !== undefined) engine.timers.cancel(this.#alarm)
  }

  /** Silence is measured while an item is awaited: a consumer that takes its time is no fault of the source. */
  #awaitItem(): void {
    this.#silentSinceMs = this.#call.engine.clock.now()
    if (this.#alarm === undefined) this.#setAlarm()
  }

  #setAlarm(): void {
    const { timers, clock } = this.#call.engine
    this.#alarm = timers.add(this.#silentSinceMs + this.#idleMs, () => {
      this.#alarm = undefined
      if (this.#pending === 0) return
      if (clock.now() < this.#silentSinceMs + this.#idleMs) this.#setAlarm()
      else this.#stop({ ok: false, error: undefined, found: 'idle_timeout' }, timedOut('idleTimeoutMs'))
    })
  }
}
