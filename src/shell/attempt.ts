import type { Target } from '../core/candidate.ts'
import type { Attempt } from '../options.ts'
import type { Call } from './call.ts'

/** One invocation of one target, as the caller's function sees it. Costly parts are made when they are read. */
export class AttemptHandle implements Attempt<unknown, unknown> {
  readonly #call: Call
  readonly #target: Target
  readonly #number: number
  readonly #targetAttempt: number
  readonly #input: unknown
  readonly #reductions: number
  #controller: AbortController | undefined
  #cut: { readonly reason: unknown } | undefined

  constructor(call: Call, target: Target, number: number, targetAttempt: number) {
    this.#call = call
    this.#target = target
    this.#number = number
    this.#targetAttempt = targetAttempt
    // An attempt that was cut may read these when the call has gone on with a smaller input.
    this.#input = call.input
    this.#reductions = call.reductions
  }

  get candidate(): unknown {
    return this.#call.engine.parts.chain[this.#target.position]
  }

  get credential(): undefined {
    // The interface's type depends on the candidate's; the value is what was listed.
    return this.#call.engine.credentials[this.#target.index] as undefined
  }

  get number(): number {
    return this.#number
  }

  get targetAttempt(): number {
    return this.#targetAttempt
  }

  get callId(): string {
    return this.#call.id
  }

  get idempotencyKey(): string {
    return this.#reductions === 0 ? this.#call.id : `${this.#call.id}-${this.#reductions}`
  }

  get input(): unknown {
    return this.#input
  }

  get abortSignal(): AbortSignal {
    const { signal, cutsAttempts } = this.#call
    // Where nothing but the caller can cut the attempt, the caller's own signal says all there is to say.
    if (signal !== undefined && !cutsAttempts) return signal
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#cut !== undefined) this.#controller.abort(this.#cut.reason)
    }
    return this.#controller.signal
  }

  get commit(): () => void {
    return () => this.#call.commit('attempt', this)
  }

  /** Aborts the attempt's signal, now or when it is first read. */
  static cut(handle: AttemptHandle, reason: unknown): void {
    handle.#cut ??= { reason }
    handle.#controller?.abort(reason)
  }
}
