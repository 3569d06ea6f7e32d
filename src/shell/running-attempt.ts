import { AttemptHandle } from './attempt.ts'
import type { Call } from './call.ts'
import { timedOut } from './cut-reasons.ts'
import type { Cancellable } from './link-abort.ts'
import type { Attempting, AttemptOutcome } from './run-attempt.ts'
import type { Alarm } from './timer-queue.ts'

/**
 * An attempt under way, which the caller's abort, its limit or the deadline may end before it ends by itself. What is
 * cut off runs on unheard: its function was told by the attempt's signal.
 */
export class RunningAttempt<T> implements Cancellable {
  readonly #call: Call
  readonly #handle: AttemptHandle | undefined
  readonly #told: Attempting<T>
  readonly #onCut: (() => void) | undefined
  #alarm: Alarm | undefined

  constructor(call: Call, told: Attempting<T>, onCut?: () => void) {
    this.#call = call
    this.#handle = call.handle
    this.#told = told
    this.#onCut = onCut
    call.underWay = this
    if (call.cutsAttempts) this.#setAlarm()
  }

  /** The first to tell is heard; whoever comes after it is too late. */
  settle(outcome: AttemptOutcome<T>): void {
    if (!this.heard) return
    this.#release()
    this.#told.attempted(outcome)
  }

  /** Whether the attempt may still say how it ended. */
  get heard(): boolean {
    return this.#call.underWay === this
  }

  cancel(): void {
    this.#cut('aborted', this.#call.abortReason)
  }

  #cut(found: 'aborted' | 'attempt_timeout' | 'timeout', reason: unknown): void {
    if (!this.heard) return
    this.#release()
    // It hears of its end before the next attempt begins.
    if (this.#handle !== undefined) AttemptHandle.cut(this.#handle, reason)
    this.#onCut?.()
    this.#told.attempted({ ok: false, error: reason, found })
  }

  #release(): void {
    this.#call.underWay = undefined
    if (this.#alarm !== undefined) this.#call.engine.timers.cancel(this.#alarm)
  }

  #setAlarm(): void {
    const { engine, deadlineMs } = this.#call
    const { attemptTimeoutMs } = engine.parts
    const limitMs =
      attemptTimeoutMs === Number.POSITIVE_INFINITY ? attemptTimeoutMs : engine.clock.now() + attemptTimeoutMs
    const atMs = Math.min(limitMs, deadlineMs)
    if (atMs === Number.POSITIVE_INFINITY) return
    this.#alarm = engine.timers.add(atMs, () => {
      if (limitMs < deadlineMs) this.#cut('attempt_timeout', timedOut('attemptTimeoutMs'))
      else this.#cut('timeout', timedOut('timeoutMs'))
    })
  }
}
