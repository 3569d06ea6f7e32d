import { EventEmitter } from 'eventemitter3'
import { isThenable } from '../core/thenable.ts'
import type { HealthEventName, HealthEvents } from './events.ts'

/** Hears one kind of event. What it answers is ignored; what it throws or rejects with is contained. */
export type HealthListener<N extends HealthEventName> = (event: HealthEvents[N]) => unknown

/** The names of all events, for those who subscribe to each. */
export const HEALTH_EVENTS: readonly HealthEventName[] = Object.freeze(Object.keys(noneHeard()) as HealthEventName[])

/** Fields that are all there from the start: counting listeners changes no shape. */
function noneHeard(): Record<HealthEventName, number> {
  return {
    attempt: 0,
    failure: 0,
    retry: 0,
    advance: 0,
    pause: 0,
    resume: 0,
    reduce: 0,
    commit: 0,
    success: 0,
    surface: 0,
    passthrough: 0,
    auth_prompt: 0,
    auth_resolved: 0,
    cooling: 0,
    recovered: 0,
    chain_dead: 0,
    malformed: 0,
    listener_fault: 0,
    store_fault: 0,
    store_healed: 0,
    decision: 0,
  }
}

interface Subscription {
  readonly listener: (event: never) => unknown
  readonly contained: (event: { readonly at: number }) => void
}

/**
 * Delivers events synchronously and in order, to listeners that can change nothing: what several hear is frozen, and
 * one that throws, rejects or mutates stops no other.
 */
export class Channel {
  /** Listeners by event name. Read before an event is made: with nobody listening, none is. */
  readonly heard: Record<HealthEventName, number> = noneHeard()
  readonly #emitter = new EventEmitter()
  readonly #subscriptions = new Map<HealthEventName, Subscription[]>()
  readonly #queue: (readonly [HealthEventName, { readonly at: number }])[] = []
  #delivering = false

  /** Answers how to stop. */
  on<N extends HealthEventName>(name: N, listener: HealthListener<N>): () => void {
    return this.#subscribe(name, listener, false)
  }

  /** Answers how to stop. */
  once<N extends HealthEventName>(name: N, listener: HealthListener<N>): () => void {
    return this.#subscribe(name, listener, true)
  }

  off<N extends HealthEventName>(name: N, listener: HealthListener<N>): void {
    for (const subscription of this.#subscriptions.get(name) ?? []) {
      if (subscription.listener === listener) this.#drop(name, subscription)
    }
  }

  /** Delivers an event; one raised by a listener follows after all have heard this one. */
  emit<N extends HealthEventName>(name: N, event: HealthEvents[N]): void {
    if (this.heard[name] === 0) return
    // What one alone hears, at once, nobody else can see changed.
    if (this.heard[name] > 1 || this.#delivering) Object.freeze(event)
    if (this.#delivering) {
      this.#queue.push([name, event])
      return
    }
    this.#delivering = true
    try {
      this.#emitter.emit(name, event)
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        this.#emitter.emit(next[0], next[1])
      }
    } finally {
      this.#delivering = false
    }
  }

  #subscribe<N extends HealthEventName>(name: N, listener: HealthListener<N>, once: boolean): () => void {
    if (!Object.hasOwn(this.heard, name)) {
      throw new TypeError(
        `health: there is no event "${String(name)}"; the events are ${Object.keys(this.heard).join(', ')}`,
      )
    }
    if (typeof listener !== 'function') throw new TypeError(`health: the listener of "${name}" is not a function`)
    const contained = (event: { readonly at: number }): void => {
      if (once) this.#drop(name, subscription)
      // Read now: a listener may do anything to the event.
      const { at } = event
      const fault = (): void => this.#fault(name, at)
      try {
        const answer = listener(event as HealthEvents[N])
        if (isThenable(answer)) answer.then(undefined, fault)
      } catch {
        fault()
      }
    }
    const subscription: Subscription = { listener, contained }
    this.#emitter.on(name, contained)
    this.#keep(name, [...(this.#subscriptions.get(name) ?? []), subscription])
    return () => this.#drop(name, subscription)
  }

  #drop(name: HealthEventName, subscription: Subscription): void {
    this.#emitter.off(name, subscription.contained)
    this.#keep(
      name,
      (this.#subscriptions.get(name) ?? []).filter((other) => other !== subscription),
    )
  }

  #keep(name: HealthEventName, subscriptions: Subscription[]): void {
    this.#subscriptions.set(name, subscriptions)
    this.heard[name] = subscriptions.length
  }

  /** A listener of faults that is itself at fault has nobody left to tell. */
  #fault(name: HealthEventName, at: number): void {
    if (name !== 'listener_fault') this.emit('listener_fault', { at, listenedTo: name })
  }
}
