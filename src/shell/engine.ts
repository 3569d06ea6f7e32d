import { type CallState, startCall } from '../core/call-state.ts'
import type { Candidate, Target } from '../core/candidate.ts'
import type { Clock } from '../core/clock.ts'
import { isUnmarked, providerMark } from '../core/marks.ts'
import type { Policy } from '../core/policy.ts'
import type { Producer, ProducerEnv } from '../core/producer.ts'
import type { BreakerStrategy, UnknownStrategy } from '../core/strategy.ts'
import type { AuthDesk } from '../health/auth-desk.ts'
import type { Channel } from '../health/channel.ts'
import type { MarkStore } from '../health/mark-store.ts'
import { newIdPrefix } from './environment.ts'
import { type TimerQueue, timerQueueOf } from './timer-queue.ts'

/** What a guard is made of, as the composition root hands it over. */
export interface EngineParts {
  readonly policy: Policy
  readonly chain: readonly Candidate[]
  readonly producer: Producer | undefined
  readonly unknown: UnknownStrategy
  readonly unclassified: UnknownStrategy
  readonly breaker: BreakerStrategy | undefined
  readonly channel: Channel
  readonly store: MarkStore
  readonly desk: AuthDesk
  readonly clock: Clock
  readonly random: () => number
  /** Milliseconds; `Infinity` is none. */
  readonly timeoutMs: number
  readonly attemptTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly idempotent: boolean
}

/** A guard's configuration and health, as its calls use them. Holds nothing of any call. */
export class Engine {
  readonly parts: EngineParts
  readonly policy: Policy
  readonly channel: Channel
  readonly store: MarkStore
  readonly clock: Clock
  readonly timers: TimerQueue
  /** The target that a call takes when nothing stands against it. */
  readonly first: Target
  /** By position in the chain. */
  readonly producers: readonly (Producer | undefined)[]
  /** What adapters may use: the time is read when they ask for it. */
  readonly producerEnv: ProducerEnv
  /** By target. */
  readonly credentials: readonly unknown[]
  /** The state of a call that brings nothing of its own: never changed, so one serves them all. */
  readonly plainState: CallState
  #idPrefix: string | undefined
  #calls = 0
  #seen = -1
  #clear = false
  #generation = 0
  #fullAt = -1

  constructor(parts: EngineParts) {
    this.parts = parts
    this.policy = parts.policy
    this.channel = parts.channel
    this.store = parts.store
    this.clock = parts.clock
    this.timers = timerQueueOf(parts.clock)
    this.plainState = startCall(parts.policy, { idempotent: parts.idempotent })
    this.first = parts.policy.targets[0] as Target
    this.producerEnv = {
      get nowMs() {
        return parts.clock.wallNow()
      },
    }
    this.producers = parts.chain.map((candidate) => candidate.producer ?? parts.producer)
    this.credentials = parts.chain.flatMap((candidate): readonly unknown[] =>
      candidate.credentials === undefined || candidate.credentials.length === 0 ? [undefined] : candidate.credentials,
    )
  }

  /** Whether the first target is free to take without asking: nothing cools it, refuses it or is too small. */
  isClear(inputTokens: number | undefined): boolean {
    if (this.store.version !== this.#seen) this.#look()
    const window = this.first.contextWindow
    return this.#clear && (inputTokens === undefined || window === undefined || inputTokens <= window)
  }

  /** The auth generation of the first target's provider; as fresh as the last {@link isClear}. */
  get firstGeneration(): number {
    return this.#generation
  }

  /**
   * A target has served. Once the first candidate's budget is full, as it is where nothing fails, it is not looked up
   * again until a call is charged.
   */
  deposit(target: Target): void {
    const { store } = this
    const { budget } = this.policy.limits
    if (budget === false || (target === this.first && this.#fullAt === store.charges)) return
    const isFull = store.deposit(target.candidate, budget)
    if (isFull && target === this.first) this.#fullAt = store.charges
  }

  /** Unique to the call in all processes; only the first makes randomness. */
  nextCallId(): string {
    this.#idPrefix ??= `${newIdPrefix()}-`
    this.#calls += 1
    return this.#idPrefix + this.#calls
  }

  #look(): void {
    this.#seen = this.store.version
    const marks = this.store.current
    this.#generation = providerMark(marks, this.first.provider).generation
    this.#clear = isUnmarked(marks, this.first)
  }
}
