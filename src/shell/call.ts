import { withDecision } from '../core/advance.ts'
import { type CallState, triesAt } from '../core/call-state.ts'
import type { Candidate, Target } from '../core/candidate.ts'
import type { Classification } from '../core/classification.ts'
import type { Advance, Decision, Retry } from '../core/decision.ts'
import type { Draft } from '../core/draft.ts'
import { coolingUntilMs, providerMark } from '../core/marks.ts'
import type { Producer } from '../core/producer.ts'
import type { NoteFault } from '../core/strategy.ts'
import { timeLimit } from '../core/time-limit.ts'
import type { AttemptRecord } from '../errors.ts'
import type { AttemptEvent, CallEvent, CommitEvent, MalformedEvent, TargetEvent } from '../health/call-events.ts'
import type { CallOptions, StreamOptions } from '../options.ts'
import { AttemptHandle } from './attempt.ts'
import { mustBeCallOptions } from './call-options.ts'
import type { Engine } from './engine.ts'
import type { Abortable, Cancellable } from './link-abort.ts'
import type { AttemptFailure } from './run-attempt.ts'
import { startState } from './start-state.ts'

/** One logical request on its way through the chain. Belongs to nobody else; what calls share is in the engine. */
export class Call implements Abortable {
  readonly engine: Engine
  readonly fn: (attempt: never) => unknown
  readonly options: CallOptions<Candidate, unknown> & Partial<StreamOptions<Candidate, unknown, unknown>>
  readonly signal: AbortSignal | undefined
  /** Monotonic; `Infinity` is none. */
  readonly deadlineMs: number
  /** Whether something else than the caller's signal may cut an attempt. */
  readonly cutsAttempts: boolean
  input: unknown
  /** How often `reduce` has made a new input. */
  reductions = 0
  aborted = false
  abortReason: unknown
  committed = false
  /** Ended attempts, in order. */
  records: readonly AttemptRecord[] = NO_RECORDS
  /** What is under way, an attempt or a wait: cancelled when the caller aborts. */
  underWay: Cancellable | undefined
  /** The target of the attempt that runs, or ran last. */
  target: Target
  /** The attempt that runs. */
  handle: AttemptHandle | undefined
  /** Milliseconds waited or paused since the last attempt. */
  waitedMs = 0
  /** The last failure, as it will be thrown if it surfaces. */
  failure: AttemptFailure | undefined
  /** Closes the source that a failed attempt of a stream left open. */
  discard: (() => void) | undefined
  /** What the last failure was classified as, its private detail included. */
  lastClassification: Classification | undefined
  /** What `reduce` threw, if it did. */
  reduceError: { readonly error: unknown } | undefined
  /** The clock at the last failure or decision: the marks, the decision and the wait that follows are of one instant. */
  nowMs = 0
  state: CallState | undefined
  /** Not yet folded into the state: a call that then succeeds never needs to. */
  decided: Decision | undefined
  /** The version of the marks that the last decision saw. */
  decidedAt = 0
  /** The provider's auth generation when the last attempt started. */
  generation = 0
  /** The last attempt is the probe of a half-open target: until when the others stay away. 0: it is none. */
  probeUntilMs = 0
  #id: string | undefined

  constructor(engine: Engine, fn: (attempt: never) => unknown, options: Call['options'], streams: boolean) {
    this.engine = engine
    this.fn = fn
    this.options = options
    this.signal = options.abortSignal
    this.input = options.input
    this.target = engine.first
    mustBeCallOptions(options)
    const timeoutMs = options.timeoutMs === undefined ? engine.parts.timeoutMs : timeLimit(options.timeoutMs)
    this.deadlineMs = timeoutMs === Number.POSITIVE_INFINITY ? timeoutMs : engine.clock.now() + timeoutMs
    this.cutsAttempts =
      streams || timeoutMs < Number.POSITIVE_INFINITY || engine.parts.attemptTimeoutMs < Number.POSITIVE_INFINITY
  }

  get id(): string {
    this.#id ??= this.engine.nextCallId()
    return this.#id
  }

  get producer(): Producer | undefined {
    return this.engine.producers[this.target.position]
  }

  /** The caller's signal has aborted. */
  abort(): void {
    this.stop(this.signal?.reason)
  }

  /** Ends the call at once, wherever it is. */
  stop(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.abortReason = reason
    this.underWay?.cancel()
  }

  /** Starts the first attempt where nothing stands against the first target: no decision is needed. */
  beginFirst(): AttemptHandle {
    return this.#begin(this.engine.first, this.engine.firstGeneration, 1)
  }

  /** Starts the attempt that was decided on. */
  begin({ target, probe }: Retry | Advance): AttemptHandle {
    const { store, policy } = this.engine
    // Where processes share a store the lease is taken already, and asked for.
    if (probe === true && store.mirror === undefined)
      store.observe(policy, { kind: 'probe', target, probeMs: 0, nowMs: this.engine.clock.now() })
    this.probeUntilMs = probe === true ? coolingUntilMs(store.marks, target) : 0
    const { generation } = providerMark(store.marks, target.provider)
    const tries = this.state === undefined ? 0 : triesAt(this.state, target, generation)
    return this.#begin(target, generation, tries + 1)
  }

  #begin(target: Target, generation: number, targetAttempt: number): AttemptHandle {
    const { channel } = this.engine
    this.target = target
    this.generation = generation
    const number = this.records.length + 1
    this.handle = new AttemptHandle(this, target, number, targetAttempt)
    if (channel.heard.attempt > 0) {
      const event = this.targetEvent() as Draft<AttemptEvent>
      event.number = number
      event.targetAttempt = targetAttempt
      event.waitedMs = this.waitedMs
      channel.emit('attempt', event)
    }
    return this.handle
  }

  /** No replay from here on. An attempt that is over has nothing more to say. */
  commit(by: CommitEvent['by'], handle: AttemptHandle | undefined = this.handle): void {
    if (this.committed || handle === undefined || handle !== this.handle) return
    this.committed = true
    if (this.engine.channel.heard.commit === 0) return
    this.engine.channel.emit('commit', { ...this.targetEvent(), number: this.records.length + 1, by })
  }

  callEvent(): CallEvent {
    return { callId: this.id, at: this.engine.clock.now(), asked: this.engine.first.candidate }
  }

  /** An event about a target, to be added to: objects that grow by assignment stay fast, spread ones do not. */
  targetEvent(target: Target = this.target): Draft<TargetEvent> {
    const event: Draft<TargetEvent> = {
      callId: this.id,
      at: this.engine.clock.now(),
      asked: this.engine.first.candidate,
      candidate: target.candidate,
      provider: target.provider,
    }
    if (target.credential !== undefined) event.credential = target.credential
    return event
  }

  /** Tells that something from outside was left out. */
  malformed(source: MalformedEvent['source'], field: string, fault: MalformedEvent['fault']): void {
    const { channel } = this.engine
    if (channel.heard.malformed === 0) return
    channel.emit('malformed', { ...this.callEvent(), candidate: this.target.candidate, source, field, fault })
  }

  /** Tells of a strategy at fault. Made when it is asked for: most calls never decide anything. */
  get noteFault(): NoteFault {
    return (slot, fault) => this.malformed('strategy', slot, fault)
  }

  /** Lets go of what a failed attempt left open. */
  drop(): void {
    const { discard } = this
    this.discard = undefined
    discard?.()
  }

  /** The state, made at the first failure; all decisions are in it. */
  stateNow(): CallState {
    this.state ??= startState(this)
    if (this.decided !== undefined) this.state = withDecision(this.state, this.decided)
    this.decided = undefined
    return this.state
  }
}

const NO_RECORDS: readonly AttemptRecord[] = Object.freeze([])
