import type { Classification } from '../../core/classification.ts'
import { Capacity } from './capacity.ts'
import type { Random } from './random.ts'
import { RateWindow } from './rate-window.ts'
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
  /** By place among the refusals: each rate window counts for itself. */
  readonly #windows: readonly (RateWindow | undefined)[]
  readonly #queueLimit: number
  readonly #refusalMs: number
  readonly #random: Random
  /** Ends of the requests in its care, oldest first, where their number matters. */
  #ends: number[] = []
  #freeAtMs = 0

  constructor(
    { capacityPerSec, queueLimit = Number.POSITIVE_INFINITY, refusalMs = 0, phases = [] }: ServerScript,
    random: Random,
  ) {
    this.#random = random
    this.#capacity = new Capacity(capacityPerSec, phases)
    this.#refusals = phases.filter((phase) => phase.kind !== 'brown_out')
    this.#windows = this.#refusals.map((phase) => (phase.kind === 'rate_window' ? new RateWindow(phase) : undefined))
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
      if (!holds(phase, nowMs)) continue
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
        const window = this.#windows[index] as RateWindow
        if (window.fullForMs(nowMs) !== undefined) return this.#refuseByWindows(index, nowMs)
        window.take()
        return undefined
      }
      case 'revoked_key':
        return phase.credential === undefined || phase.credential === credential ? REFUSED_KEY : undefined
    }
  }

  /** A window is full: the ones before it count the request no longer, and of all that are full the last to end is told. */
  #refuseByWindows(full: number, nowMs: number): Classification {
    let leftMs = 0
    for (let index = 0; index < this.#windows.length; index += 1) {
      const window = this.#windows[index]
      if (window === undefined || !holds(this.#refusals[index] as Refusing, nowMs)) continue
      if (index < full) window.giveBack()
      else leftMs = Math.max(leftMs, window.fullForMs(nowMs) ?? 0)
    }
    return { class: 'transient', retryAfterSecs: leftMs / 1_000 }
  }

  #isFull(nowMs: number): boolean {
    if (this.#queueLimit === Number.POSITIVE_INFINITY) return false
    const first = this.#ends.findIndex((endMs) => endMs > nowMs)
    this.#ends = first < 0 ? [] : this.#ends.slice(first)
    return this.#ends.length >= this.#queueLimit
  }
}

function holds({ fromMs, untilMs }: Phase, nowMs: number): boolean {
  return fromMs <= nowMs && nowMs < untilMs
}
