import { advance, type CallState, refusalsAt, startCall, triesAt } from '../core/call-state.ts'
import type { Candidate, Target } from '../core/candidate.ts'
import type { Classification } from '../core/classification.ts'
import { decide } from '../core/decide.ts'
import type { Advance, Decision, Failure, Occasion, Retry } from '../core/decision.ts'
import { providerMark } from '../core/marks.ts'
import type { Producer } from '../core/producer.ts'
import { type AttemptRecord, HeedError } from '../errors.ts'
import type { CallEvent, CommitEvent, MalformedEvent, TargetEvent } from '../health/events.ts'
import type { CallOptions, StreamOptions } from '../options.ts'
import { AttemptHandle } from './attempt.ts'
import { classify } from './classify.ts'
import type { Engine } from './engine.ts'
import type { Abortable } from './link-abort.ts'
import { reportDecision, reportMarks } from './report.ts'
import type { AttemptFailure } from './run-attempt.ts'

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
  aborted = false
  abortReason: unknown
  committed = false
  /** Ended attempts, in order. */
  records: readonly AttemptRecord[] = NO_RECORDS
  /** What is under way: called once when the caller aborts. */
  cancel: (() => void) | undefined
  /** The target of the attempt that runs, or ran last. */
  target: Target
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
  state: CallState | undefined
  #id: string | undefined
  #generation = 0
  #probe = false

  constructor(engine: Engine, fn: (attempt: never) => unknown, options: Call['options'], streams: boolean) {
    this.engine = engine
    this.fn = fn
    this.options = options
    this.signal = options.abortSignal
    this.input = options.input
    this.target = engine.first
    const timeoutMs = options.timeoutMs === undefined ? engine.parts.timeoutMs : limitOf(options.timeoutMs)
    this.deadlineMs = timeoutMs === Number.POSITIVE_INFINITY ? timeoutMs : engine.clock.now() + timeoutMs
    this.cutsAttempts =
      streams || timeoutMs < Number.POSITIVE_INFINITY || engine.parts.attemptTimeoutMs < Number.POSITIVE_INFINITY
  }

  get id(): string {
    this.#id ??= this.engine.nextCallId()
    return this.#id
  }

  get idempotencyKey(): string {
    const reductions = this.state?.reductions ?? 0
    return reductions === 0 ? this.id : `${this.id}-${reductions}`
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
    this.cancel?.()
  }

  /** Starts the first attempt where nothing stands against the first target: no decision is needed. */
  beginFirst(): AttemptHandle {
    return this.#begin(this.engine.first, this.engine.firstGeneration, 1)
  }

  /** Starts the attempt that was decided on. */
  begin({ target, probe }: Retry | Advance): AttemptHandle {
    const { store, policy } = this.engine
    if (probe === true) store.observe(policy, { kind: 'probe', target, nowMs: this.engine.clock.now() })
    this.#probe = probe === true
    const { generation } = providerMark(store.marksFor(policy), target.provider)
    const tries = this.state === undefined ? 0 : triesAt(this.state, target, generation)
    return this.#begin(target, generation, tries + 1)
  }

  #begin(target: Target, generation: number, targetAttempt: number): AttemptHandle {
    const { policy, store, channel } = this.engine
    this.target = target
    this.#generation = generation
    const { budget } = policy.limits
    if (budget !== false && !this.records.some((record) => record.candidate === target.candidate)) {
      store.deposit(target.candidate, budget)
    }
    const number = this.records.length + 1
    this.handle = new AttemptHandle(this, target, number, targetAttempt)
    if (channel.heard.attempt > 0) {
      channel.emit('attempt', { ...this.targetEvent(), number, targetAttempt, waitedMs: this.waitedMs })
    }
    return this.handle
  }

  /** Records a failed attempt: classifies it and folds it into the marks. What follows is decided apart. */
  fail(failed: AttemptFailure): Failure {
    const { engine, target } = this
    const { store, policy, channel } = engine
    const { found } = failed
    const known: Classification =
      found === undefined
        ? classify(this, failed.error, failed.answered)
        : { class: undefined, ...(found === 'aborted' ? {} : { ambiguous: true }) }
    this.lastClassification = known
    const { detail: _private, ...classification } = known
    this.#record(classification.class, classification.retryAfterSecs)
    const error =
      found === undefined || found === 'aborted'
        ? failed.error
        : new HeedError({ reason: found, attempts: this.records })
    this.failure = { ...failed, error }
    const failure: Failure = {
      kind: 'failure',
      target,
      classification,
      generation: this.#generation,
      ...(this.aborted ? { aborted: true } : {}),
      ...(this.committed ? { committed: true } : {}),
    }
    if (channel.heard.failure > 0) {
      channel.emit('failure', {
        ...this.targetEvent(),
        number: this.records.length,
        ...(classification.class === undefined ? {} : { class: classification.class }),
        ...(classification.retryAfterSecs === undefined ? {} : { retryAfterSecs: classification.retryAfterSecs }),
        ...(classification.ambiguous === true ? { ambiguous: true } : {}),
        ...(classification.exhausted === true ? { exhausted: true } : {}),
        ...(found === undefined ? {} : { found }),
      })
    }
    const nowMs = engine.clock.now()
    const refusals = refusalsAt(this.#state(), target, this.#generation) + 1
    reportMarks(this, nowMs, ...store.observe(policy, { kind: 'failure', failure, refusals, nowMs }))
    if (engine.parts.breaker !== undefined && !this.aborted) this.#count(failure, nowMs)
    return failure
  }

  /** Decides, and folds the decision in. Listeners hear of it before it is acted upon. */
  decide(occasion: Occasion): Decision {
    const { engine } = this
    const { policy, store } = engine
    const state = this.#state()
    const input = {
      occasion,
      state,
      marks: store.marksFor(policy),
      nowMs: engine.clock.now(),
      random: fraction(engine),
    }
    const decision = decide(policy, input)
    this.state = advance(policy, state, occasion, decision)
    if ('repeat' in decision && decision.repeat === true && policy.limits.budget !== false) {
      store.charge(decision.target.candidate, policy.limits.budget)
    }
    reportDecision(this, input, decision)
    return decision
  }

  /** The last attempt served: that ends it and its call. */
  succeed(delivered?: number): void {
    const { engine, target } = this
    const { channel, store, policy, parts } = engine
    if (parts.breaker !== undefined && this.#countsForBreaker())
      store.breakerOf(target.candidate, parts.breaker).success()
    if (store.current.cooling[target.key] !== undefined) {
      const [before, after] = store.observe(policy, {
        kind: 'success',
        target,
        probe: this.#probe,
        nowMs: engine.clock.now(),
      })
      if (before !== after && after.cooling[target.key] === undefined) {
        channel.emit('recovered', { ...this.targetEvent(), by: 'success' })
      }
    }
    if (channel.heard.success > 0) {
      channel.emit('success', {
        ...this.targetEvent(),
        attempts: this.records.length + 1,
        ...(delivered === undefined ? {} : { delivered }),
      })
    }
  }

  /** No replay from here on. */
  commit(by: CommitEvent['by']): void {
    if (this.committed) return
    this.committed = true
    if (this.engine.channel.heard.commit === 0) return
    this.engine.channel.emit('commit', { ...this.targetEvent(), number: this.records.length + 1, by })
  }

  /** All attempts, the one that served included. */
  recordsServed(): readonly AttemptRecord[] {
    return [...this.records, record(this.target, this.waitedMs)]
  }

  callEvent(): CallEvent {
    return { callId: this.id, at: this.engine.clock.now(), asked: this.engine.first.candidate }
  }

  targetEvent(target: Target = this.target): TargetEvent {
    const { candidate, provider, credential } = target
    const event = {
      callId: this.id,
      at: this.engine.clock.now(),
      asked: this.engine.first.candidate,
      candidate,
      provider,
    }
    return credential === undefined ? event : { ...event, credential }
  }

  /** Tells that something from outside was left out. */
  malformed(source: MalformedEvent['source'], field: string, fault: MalformedEvent['fault']): void {
    const { channel } = this.engine
    if (channel.heard.malformed === 0) return
    channel.emit('malformed', { ...this.callEvent(), candidate: this.target.candidate, source, field, fault })
  }

  /** Lets go of what a failed attempt left open. */
  drop(): void {
    const { discard } = this
    this.discard = undefined
    discard?.()
  }

  #state(): CallState {
    this.state ??= startCall(this.engine.policy, {
      deadlineMs: this.deadlineMs,
      ...(this.options.inputTokens === undefined ? {} : { inputTokens: this.options.inputTokens }),
      idempotent: this.options.idempotent ?? this.engine.parts.idempotent,
      canReduce: this.options.reduce !== undefined,
    })
    return this.state
  }

  #record(errorClass: string | undefined, retryAfterSecs: number | undefined): void {
    this.records = [...this.records, record(this.target, this.waitedMs, errorClass, retryAfterSecs)]
    this.waitedMs = 0
  }

  /** While a breaker is open only its probe says anything: an attempt from before would pass for one. */
  #countsForBreaker(): boolean {
    return this.#probe || this.engine.store.current.cooling[this.target.key]?.openUntilMs === undefined
  }

  /** A breaker counts what a candidate may recover from by itself, and what nobody knows the end of. */
  #count(failure: Failure, nowMs: number): void {
    const { engine, target } = this
    const { breaker } = engine.parts
    const { class: stated, ambiguous } = failure.classification
    if (breaker === undefined || (stated !== 'transient' && ambiguous !== true) || !this.#countsForBreaker()) return
    if (!engine.store.breakerOf(target.candidate, breaker).failure()) return
    const { coolMs } = breaker
    engine.store.observe(engine.policy, { kind: 'opened', candidate: target.candidate, coolMs, nowMs })
    engine.channel.emit('cooling', { ...this.targetEvent(), source: 'breaker', forMs: coolMs })
  }
}

const NO_RECORDS: readonly AttemptRecord[] = Object.freeze([])

function record(target: Target, waitedMs: number, errorClass?: string, retryAfterSecs?: number): AttemptRecord {
  return Object.freeze({
    candidate: target.candidate,
    ...(target.credential === undefined ? {} : { credential: target.credential }),
    ...(errorClass === undefined ? {} : { class: errorClass }),
    ...(retryAfterSecs === undefined ? {} : { retry_after_secs: retryAfterSecs }),
    waited_ms: waitedMs,
  })
}

/** 0 ms is no limit set. */
function limitOf(timeoutMs: number): number {
  if (Number.isNaN(timeoutMs) || timeoutMs < 0) {
    throw new TypeError(`heed: timeoutMs is ${timeoutMs}; give milliseconds, or 0 for none`)
  }
  return timeoutMs === 0 ? Number.POSITIVE_INFINITY : timeoutMs
}

/** A random source of the user's that answers nonsense spreads nothing. */
function fraction(engine: Engine): number {
  const random = engine.parts.random()
  return random >= 0 && random < 1 ? random : 0
}
