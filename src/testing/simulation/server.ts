import type { Classification } from '../../core/classification.ts'
import { Capacity } from './capacity.ts'
import type { Random } from './random.ts'
import type { Phase, ServerScript } from './server-script.ts'

const TRANSIENT: Classification = Object.freeze({ class: 'transient' })
const REFUSED_KEY: Classification = Object.freeze({ class: 'auth_required' })

type Refusing = Exclude<Phase, { readonly kind: 'brown_out' }>

/**
 * A scripted server. It knows when it will have served a request as soon as it is asked, because nothing that comes
 * later can overtake; so it needs no events of its own.
 */
export class Server {
  /** Requests taken in. Each is served, whether its client still waits or not. */
  admitted = 0
  /** Requests refused at once. */
  refused = 0
  /** Milliseconds from the first request's service to the last one's end in which it had something to do. */
  busyMs = 0
  /** Why the last request was refused; nothing where it was taken in. */
  refusal: Classification | undefined
  readonly #capacity: Capacity
  readonly #refusals: readonly Refusing[]
  readonly #queueLimit: number
  readonly #refusalMs: number
  readonly #random: Random
  /** Ends of the requests in its care, oldest first, where their number matters. */
  #ends: number[] = []
  #freeAtMs = 0
  #window = { phase: -1, number: -1, taken: 0 }

  constructor(
    { capacityPerSec, queueLimit = Number.POSITIVE_INFINITY, refusalMs = 0, phases = [] }: ServerScript,
    random: Random,
  ) {
    this.#random = random
    this.#capacity = new Capacity(capacityPerSec, phases)
    this.#refusals = phases.filter((phase) => phase.kind !== 'brown_out')
    this.#queueLimit = queueLimit
    this.#refusalMs = refusalMs
  }

  /** Takes a request. Answers when it ends, in milliseconds; {@link refusal} says how. */
  ask(nowMs: number, credential: string | undefined): number {
    this.refusal = this.#refuse(nowMs, credential)
    if (this.refusal !== undefined) {
      this.refused += 1
      return nowMs + this.#refusalMs
    }
    const beginMs = Math.max(nowMs, this.#freeAtMs)
    this.#freeAtMs = this.#capacity.doneAtMs(beginMs)
    this.admitted += 1
    this.busyMs += this.#freeAtMs - beginMs
    if (this.#queueLimit < Number.POSITIVE_INFINITY) this.#ends.push(this.#freeAtMs)
    return this.#freeAtMs
  }

  #refuse(nowMs: number, credential: string | undefined): Classification | undefined {
    for (let index = 0; index < this.#refusals.length; index += 1) {
      const phase = this.#refusals[index] as Refusing
      if (nowMs < phase.fromMs || nowMs >= phase.untilMs) continue
      const refusal = this.#refuseIn(phase, index, nowMs, credential)
      if (refusal !== undefined) return refusal
    }
    return this.#isFull(nowMs) ? TRANSIENT : undefined
  }

  #refuseIn(phase: Refusing, index: number, nowMs: number, credential: string | undefined): Classification | undefined {
    switch (phase.kind) {
      case 'outage': {
        const { retryAfterSecs } = phase
        return retryAfterSecs === undefined ? TRANSIENT : { class: 'transient', retryAfterSecs }
      }
      case 'flaky':
        return this.#random() < phase.share ? TRANSIENT : undefined
      case 'rate_window': {
        const leftMs = this.#leftOfWindow(index, phase.fromMs, phase.windowMs, phase.requests, nowMs)
        return leftMs > 0 ? { class: 'transient', retryAfterSecs: leftMs / 1_000 } : undefined
      }
      case 'revoked_key':
        return phase.credential === undefined || phase.credential === credential ? REFUSED_KEY : undefined
    }
  }

  /** Counts a request into its window; answers how long the window lasts where it is full, else 0. */
  #leftOfWindow(phase: number, fromMs: number, windowMs: number, requests: number, nowMs: number): number {
    const number = Math.floor((nowMs - fromMs) / windowMs)
    if (this.#window.phase !== phase || this.#window.number !== number) this.#window = { phase, number, taken: 0 }
    if (this.#window.taken >= requests) return fromMs + (number + 1) * windowMs - nowMs
    this.#window.taken += 1
    return 0
  }

  #isFull(nowMs: number): boolean {
    if (this.#queueLimit === Number.POSITIVE_INFINITY) return false
    const first = this.#ends.findIndex((endMs) => endMs > nowMs)
    this.#ends = first < 0 ? [] : this.#ends.slice(first)
    return this.#ends.length >= this.#queueLimit
  }
}
