import type { Clock } from '../core/clock.ts'
import { AuthDesk } from './auth-desk.ts'
import { Channel, type HealthListener } from './channel.ts'
import type { HealthEventName } from './events.ts'
import { MarkStore } from './mark-store.ts'

/** A target that cools, or whose breaker is open. */
export interface CoolingTarget {
  readonly candidate: string
  readonly credential?: string
  /** Milliseconds until it may be attempted again; 0 once it may, until it has served. */
  readonly remainingMs: number
  readonly breaker: 'open' | 'half_open' | 'closed'
}

/** A provider that a human has been, or was, asked about. */
export interface ProviderHealth {
  readonly provider: string
  readonly generation: number
  readonly refused: readonly string[]
  readonly blocked: boolean
  readonly declined: boolean
}

/** What is known now, as plain JSON. */
export interface HealthSnapshot {
  readonly at: number
  readonly cooling: readonly CoolingTarget[]
  readonly providers: readonly ProviderHealth[]
  /** Repeats that each candidate's retry budget still allows. */
  readonly budgets: readonly { readonly candidate: string; readonly saved: number }[]
}

/** The parts that guards use; not for users. */
export interface HealthParts {
  /** The clock that marks are kept by: the given one where none is yet. */
  readonly bindClock: (given: Clock | undefined) => Clock
  readonly channel: Channel
  readonly store: MarkStore
  readonly desk: AuthDesk
}

const parts = new WeakMap<Health, HealthParts>()

/** The parts of a health; nothing where the value is none of ours. */
export function healthParts(health: Health): HealthParts | undefined {
  return parts.get(health)
}

/**
 * What operators subscribe to, and what calls share: marks, prompts and retry budgets. Hand one to several guards
 * and what one call was told holds for all of them.
 */
export class Health {
  #clock: Clock | undefined
  readonly #usual: Clock
  readonly #parts: HealthParts

  /** @param usual - The clock where nobody ever gives one. */
  constructor(clock: Clock | undefined, usual: Clock) {
    this.#clock = clock
    this.#usual = usual
    const channel = new Channel()
    const store = new MarkStore()
    const bindClock = (given: Clock | undefined): Clock => {
      this.#clock ??= given ?? usual
      return this.#clock
    }
    this.#parts = { bindClock, channel, store, desk: new AuthDesk(store, channel, () => this.#now()) }
    parts.set(this, this.#parts)
  }

  /** Subscribes. A listener can change nothing: nobody else sees what it does to the event, and a throw is contained. Answers how to stop. */
  on<N extends HealthEventName>(name: N, listener: HealthListener<N>): () => void {
    return this.#parts.channel.on(name, listener)
  }

  /** Subscribes to the next event of a name. Answers how to stop. */
  once<N extends HealthEventName>(name: N, listener: HealthListener<N>): () => void {
    return this.#parts.channel.once(name, listener)
  }

  /** Unsubscribes a listener of `on` or `once`. */
  off<N extends HealthEventName>(name: N, listener: HealthListener<N>): void {
    this.#parts.channel.off(name, listener)
  }

  /** What is cooling, blocked or running out of budget now. Plain JSON: hand it to a status page. */
  snapshot(): HealthSnapshot {
    const at = this.#now()
    const { cooling, providers } = this.#parts.store.current
    return {
      at,
      cooling: Object.values(cooling).map(({ candidate, credential, untilMs, openUntilMs }) => ({
        candidate,
        ...(credential === undefined ? {} : { credential }),
        remainingMs: Math.max(0, untilMs - at, (openUntilMs ?? 0) - at),
        breaker: openUntilMs === undefined ? 'closed' : openUntilMs > at ? 'open' : 'half_open',
      })),
      providers: Object.entries(providers).map(([provider, mark]) => ({
        provider,
        generation: mark.generation,
        refused: mark.refused.filter((id) => id !== ''),
        blocked: mark.blocked,
        declined: mark.declined,
      })),
      budgets: this.#parts.store.budgets(),
    }
  }

  /**
   * Clears a candidate's cooling and breaker marks: you know better than its last hint. Calls that already wait for
   * it wait on; calls from now on may attempt it at once.
   */
  revive(candidateId: string): void {
    if (!this.#parts.store.revive(candidateId)) return
    this.#parts.channel.emit('recovered', { at: this.#now(), candidate: candidateId, by: 'revive' })
  }

  #now(): number {
    return (this.#clock ?? this.#usual).now()
  }
}
