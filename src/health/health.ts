import type { Clock } from '../core/clock.ts'
import { FOREVER_MS } from '../core/death.ts'
import { AuthDesk } from './auth-desk.ts'
import { Channel, type HealthListener } from './channel.ts'
import type { HealthEventName } from './events.ts'
import { MarkStore } from './mark-store.ts'
import type { HealthStore } from './store.ts'

/** A target that cools, or whose breaker is open. */
export interface CoolingTarget {
  readonly candidate: string
  readonly credential?: string
  /** Milliseconds until it may be attempted again; 0 once it may, until it has served. */
  readonly remainingMs: number
  readonly breaker: 'open' | 'half_open' | 'closed'
}

/** A candidate that is permanently refused to every call. */
export interface DeadCandidate {
  readonly candidate: string
  /** Milliseconds until it may be attempted again; absent: not before it is revived. */
  readonly remainingMs?: number
}

/** A provider that a human has been, or was, asked about. */
export interface ProviderHealth {
  readonly provider: string
  readonly generation: number
  readonly refused: readonly string[]
  readonly blocked: boolean
  readonly declined: boolean
}

/** What is known now, as plain JSON; of all processes that share the store, but for the budgets, which are each its own. */
export interface HealthSnapshot {
  readonly at: number
  readonly cooling: readonly CoolingTarget[]
  readonly providers: readonly ProviderHealth[]
  /** Empty unless a guard's `permanentFor` says that a refusal outlives its call. */
  readonly dead: readonly DeadCandidate[]
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
  #closing: Promise<void> | undefined

  /**
   * @param usual - The clock where nobody ever gives one.
   * @param random - Where in their turn calls go on that other processes let go on at the same time.
   * @param shared - The store that is shared with other processes.
   */
  constructor(clock: Clock | undefined, usual: Clock, random: () => number, shared?: HealthStore) {
    // Other processes' marks come before there is a guard: they need a clock to be kept by.
    this.#clock = clock ?? (shared === undefined ? undefined : usual)
    this.#usual = usual
    const channel = new Channel()
    const store = new MarkStore(random)
    const bindClock = (given: Clock | undefined): Clock => {
      this.#clock ??= given ?? usual
      return this.#clock
    }
    this.#parts = { bindClock, channel, store, desk: new AuthDesk(store, channel, () => this.#now(), random) }
    parts.set(this, this.#parts)
    if (shared !== undefined) this.#share(shared)
  }

  /**
   * Resolves once the marks of the shared store are known, or the store is known to be out of reach; at once where
   * there is none. A call never waits for it; a worker that starts may.
   */
  async ready(): Promise<void> {
    await this.#parts.store.mirror?.ready
  }

  /**
   * Stops sharing: the store is told what it has not been told yet, for 2 s at most where it does not answer; then the
   * subscription ends, and with it what keeps the process alive. Calls go on by what is known here. Does nothing where
   * no store is shared.
   */
  close(): Promise<void> {
    this.#closing ??= Promise.resolve(this.#parts.store.mirror?.close())
    return this.#closing
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
    const { cooling, providers, dead = {} } = this.#parts.store.current
    return {
      at,
      cooling: Object.values(cooling).map(({ candidate, credential, untilMs, openUntilMs, coolMs }) => ({
        candidate,
        ...(credential === undefined ? {} : { credential }),
        remainingMs: Math.max(0, untilMs - at, (openUntilMs ?? 0) - at),
        breaker: openUntilMs === undefined || coolMs === undefined ? 'closed' : openUntilMs > at ? 'open' : 'half_open',
      })),
      providers: Object.entries(providers).map(([provider, mark]) => ({
        provider,
        generation: mark.generation,
        refused: mark.refused.filter((id) => id !== ''),
        blocked: mark.blocked,
        declined: mark.declined,
      })),
      dead: Object.values(dead)
        .filter(({ untilMs }) => untilMs > at)
        .map(({ candidate, untilMs }) =>
          untilMs === FOREVER_MS ? { candidate } : { candidate, remainingMs: untilMs - at },
        ),
      budgets: this.#parts.store.budgets(),
    }
  }

  /**
   * Clears a candidate's cooling and breaker marks, and its death, in all processes that share the store: you know
   * better than its last hint. Calls that already wait for it wait on; calls from now on may attempt it at once.
   */
  revive(candidateId: string): void {
    if (!this.#parts.store.revive(candidateId)) return
    this.#parts.channel.emit('recovered', { at: this.#now(), candidate: candidateId, by: 'revive' })
  }

  #share(store: HealthStore): void {
    const { channel, store: marks, desk } = this.#parts
    let sinceMs = 0
    marks.mirror = new store.Mirror(
      store,
      () => this.#clock ?? this.#usual,
      () => marks.current,
      {
        marked: (now) => marks.replace(now),
        answered: (provider, outcome) => desk.answeredElsewhere(provider, outcome),
        unasked: (provider) => desk.askFor(provider),
        closed: (candidate) => marks.closedElsewhere(candidate, this.#now()),
        fault: (fault) => {
          sinceMs = this.#now()
          channel.emit('store_fault', { at: sinceMs, fault })
        },
        healed: () => {
          const at = this.#now()
          channel.emit('store_healed', { at, afterMs: at - sinceMs })
        },
      },
    )
  }

  #now(): number {
    return (this.#clock ?? this.#usual).now()
  }
}
