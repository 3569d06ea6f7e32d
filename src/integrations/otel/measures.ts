import type { Counter, Histogram, Meter } from '@opentelemetry/api'
import type {
  AdvanceEvent,
  AttemptEvent,
  CallEvent,
  FailureEvent,
  PauseEvent,
  ReduceEvent,
  ResumeEvent,
  RetryEvent,
  SuccessEvent,
  SurfaceEvent,
} from '../../health/call-events.ts'
import { type Attributes, classOf, endingOf, errorOf, secondsOf, targetOf } from './attributes.ts'

/** Waits are mostly within what a call may wait, a minute; pauses within what it may pause, five. Seconds. */
const BOUNDARIES = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300]

/** What a call waits or pauses for, and since when. */
interface Standing {
  readonly kind: 'wait' | 'pause'
  readonly atMs: number
  readonly attributes: Attributes
}

/** The metrics. Their attributes have as many values as the chain has candidates and heed has words. */
export class Measures {
  readonly #attempts: Counter
  readonly #calls: Counter
  readonly #advances: Counter
  readonly #pauses: Counter
  readonly #decisions: Counter
  readonly #waited: Histogram
  readonly #paused: Histogram
  readonly #standing = new Map<string, Standing>()

  constructor(meter: Meter) {
    const count = (name: string, unit: string, description: string): Counter =>
      meter.createCounter(name, { unit: `{${unit}}`, description })
    const seconds = (name: string, description: string): Histogram =>
      meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries: BOUNDARIES } })
    this.#attempts = count('heed.attempts', 'attempt', 'Attempts that have ended.')
    this.#calls = count('heed.calls', 'call', 'Calls that have ended.')
    this.#advances = count('heed.advances', 'advance', 'Changes of the candidate or credential within a call.')
    this.#pauses = count('heed.pauses', 'pause', 'Pauses of a call for a human.')
    this.#decisions = count('heed.decisions', 'decision', 'Decisions by class and reason.')
    this.#waited = seconds('heed.wait.duration', 'How long calls waited before an attempt, each wait by itself.')
    this.#paused = seconds('heed.pause.duration', 'How long calls paused for a human.')
  }

  attempt(event: AttemptEvent): void {
    this.#goesOn(event)
  }

  failure(event: FailureEvent): void {
    const ending: Attributes =
      event.found === 'aborted' ? { 'heed.outcome': 'cancelled' } : { 'heed.outcome': 'failed', ...errorOf(event) }
    this.#attempts.add(1, { ...targetOf(event), ...ending })
  }

  success(event: SuccessEvent): void {
    const served = { ...targetOf(event), 'heed.outcome': 'served' }
    this.#attempts.add(1, served)
    this.#calls.add(1, { 'heed.candidate.asked': event.asked, ...served })
    this.#standing.delete(event.callId)
  }

  surface(event: SurfaceEvent): void {
    this.#goesOn(event)
    const ending = endingOf(event)
    this.#decided('surface', event.reason, event)
    this.#calls.add(1, {
      'heed.candidate.asked': event.asked,
      'heed.candidate': event.candidate,
      'heed.outcome': ending,
    })
  }

  retry(event: RetryEvent): void {
    this.#goesOn(event)
    this.#decided('retry', event.reason, event)
    this.#stands('wait', event, event.delayMs)
  }

  advance(event: AdvanceEvent): void {
    this.#goesOn(event)
    this.#decided('advance', event.reason, event)
    this.#advances.add(1, { ...targetOf(event), 'heed.reason': event.reason })
    this.#stands('wait', event, event.delayMs)
  }

  pause(event: PauseEvent): void {
    this.#goesOn(event)
    this.#decided('pause', event.reason, { class: 'auth_required' })
    this.#pauses.add(1, { 'gen_ai.provider.name': event.provider, 'heed.reason': event.reason })
    const { callId, at, provider } = event
    this.#standing.set(callId, { kind: 'pause', atMs: at, attributes: { 'gen_ai.provider.name': provider } })
  }

  resume(event: ResumeEvent): void {
    this.#goesOn(event, event.outcome)
  }

  reduce(event: ReduceEvent): void {
    this.#goesOn(event)
    this.#decided('reduce', 'context_overflow', { class: 'context_overflow' })
  }

  #decided(decision: string, reason: string, stated: { readonly class?: string }): void {
    this.#decisions.add(1, { 'heed.decision': decision, 'heed.reason': reason, ...classOf(stated) })
  }

  #stands(kind: Standing['kind'], event: RetryEvent | AdvanceEvent, delayMs: number): void {
    if (delayMs <= 0) return
    const attributes = { ...targetOf(event), 'heed.reason': event.reason }
    this.#standing.set(event.callId, { kind, atMs: event.at, attributes })
  }

  /** What the call did next ends what it stood still for; a pause that no answer ended was cut off with its call. */
  #goesOn({ callId, at }: CallEvent, outcome = 'cancelled'): void {
    const standing = this.#standing.get(callId)
    if (standing === undefined) return
    this.#standing.delete(callId)
    const { kind, atMs, attributes } = standing
    const stood = secondsOf(Math.max(0, at - atMs))
    if (kind === 'wait') this.#waited.record(stood, attributes)
    else this.#paused.record(stood, { ...attributes, 'heed.outcome': outcome })
  }
}
