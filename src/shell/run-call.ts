import type { Advance, Decision, Occasion, Retry } from '../core/decision.ts'
import type { Call } from './call.ts'
import { ABORTED, type Ended, end } from './end.ts'
import { fail } from './fail.ts'
import { askLease } from './lease.ts'
import { linkAbort, unlinkAbort } from './link-abort.ts'
import { nextDecision } from './next-decision.ts'
import { reduce } from './reduce.ts'
import type { AttemptOutcome, AttemptRunner } from './run-attempt.ts'
import { pause, WAKE, wait } from './wait.ts'

/** Runs a call from its start to its end. */
export function runCall<T>(call: Call, run: AttemptRunner<T>): Promise<Ended<T>> {
  return new Promise((resolve, reject) => new Loop(call, run, resolve, reject).start())
}

/**
 * The only loop: attempt, classify, observe, decide, act, advance, until the call has a value or surfaces.
 *
 * Whatever was awaited makes the next turn by a call of {@link Loop.act}: a hundred thousand calls that wait hold an
 * object each instead of a suspended function with its promises, and a repeat without a wait takes no turn of the queue.
 */
export class Loop<T> {
  readonly #call: Call
  readonly #run: AttemptRunner<T>
  readonly #done: (ended: Ended<T>) => void
  readonly #broken: (error: unknown) => void

  /**
   * @param run - Makes one attempt: what a unary call and a stream do differently.
   * @param done - Told how the call ended.
   * @param broken - Told what was thrown where nothing should be: by a clock of the user's, say.
   */
  constructor(call: Call, run: AttemptRunner<T>, done: (ended: Ended<T>) => void, broken: (error: unknown) => void) {
    this.#call = call
    this.#run = run
    this.#done = done
    this.#broken = broken
  }

  /** Runs the call from its start. */
  start(): void {
    const call = this.#call
    const { signal, engine, options } = call
    try {
      if (signal?.aborted === true) call.abort()
      else if (signal !== undefined) linkAbort(signal, call)
      if (call.aborted || !engine.isClear(options.inputTokens)) {
        this.#next({ kind: 'start' })
        return
      }
      call.beginFirst()
      this.#run(call, this)
    } catch (error) {
      this.#break(error)
    }
  }

  /** An attempt has ended. */
  attempted(outcome: AttemptOutcome<T>): void {
    try {
      if (outcome.ok) this.#end(outcome)
      else this.#act(nextDecision(this.#call, fail(this.#call, outcome)), false)
    } catch (error) {
      this.#break(error)
    }
  }

  /** @param again - The decision has been taken again already, or follows a wait. */
  #act(decision: Decision, again: boolean): void {
    const call = this.#call
    if (decision.kind === 'surface') {
      this.#end(end(call, decision))
      return
    }
    call.drop()
    // A listener may have aborted just now: then nothing may begin.
    if (call.aborted) this.#end(end(call, ABORTED))
    else if (decision.kind === 'pause') this.#await(pause(call, decision))
    else if (decision.kind === 'reduce') this.#await(reduce(call, decision))
    else if (decision.delayMs > 0) {
      // Folded in now: a call that waits need not hold the decision too.
      call.stateNow()
      this.#await(wait(call, decision.delayMs))
    } else if (call.decidedAt !== call.engine.store.version && !again) {
      // A listener has taught the marks something since: the decision is taken again, once.
      this.#next(WAKE)
    } else {
      const lease = decision.probe === true ? askLease(call, decision) : undefined
      if (lease === undefined) this.#begin(decision)
      else {
        const told = (mine: boolean): void => this.#turn(() => (mine ? this.#begin(decision) : this.#next(WAKE)))
        lease.then(told, (error: unknown) => this.#break(error))
      }
    }
  }

  #begin(decision: Retry | Advance): void {
    this.#call.begin(decision)
    this.#run(this.#call, this)
  }

  #await(next: Promise<Occasion>): void {
    next.then(
      (occasion) => this.#turn(() => this.#next(occasion)),
      (error: unknown) => this.#break(error),
    )
  }

  #next(occasion: Occasion): void {
    if (this.#call.aborted) this.#end(end(this.#call, ABORTED))
    else this.#act(nextDecision(this.#call, occasion), occasion.kind === 'wake')
  }

  #turn(go: () => void): void {
    try {
      go()
    } catch (error) {
      this.#break(error)
    }
  }

  #break(error: unknown): void {
    this.#unlink()
    this.#call.drop()
    this.#broken(error)
  }

  #end(ended: Ended<T>): void {
    this.#unlink()
    this.#done(ended)
  }

  #unlink(): void {
    const { signal } = this.#call
    if (signal !== undefined) unlinkAbort(signal, this.#call)
  }
}
