import { type Context, context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type {
  AdvanceEvent,
  AttemptEvent,
  CallEvent,
  CommitEvent,
  FailureEvent,
  PauseEvent,
  ReduceEvent,
  ResumeEvent,
  RetryEvent,
  SuccessEvent,
  SurfaceEvent,
} from '../../health/call-events.ts'
import { type Attributes, classOf, type Ending, endingOf, errorOf, secondsOf, targetOf } from './attributes.ts'

/** How spans are named, and the model that they name. */
export interface SpanNames {
  readonly operation: string
  readonly model: (candidate: string) => string | undefined
}

interface OpenCall {
  readonly span: Span
  /** What attempts are children in. */
  readonly within: Context
  attempt: Span | undefined
}

/**
 * A span for each call, made at its first event and in the context that is active then, with a child for each attempt.
 * A call that began before anybody listened has none: half a span would lie about when it started.
 */
export class CallSpans {
  readonly #tracer: Tracer
  readonly #names: SpanNames
  readonly #calls = new Map<string, OpenCall>()

  constructor(tracer: Tracer, names: SpanNames) {
    this.#tracer = tracer
    this.#names = names
  }

  attempt(event: AttemptEvent): void {
    const call = this.#open(event, event.number === 1)
    if (call === undefined) return
    const { operation } = this.#names
    const model = this.#names.model(event.candidate)
    const attributes: Attributes = {
      ...targetOf(event),
      'gen_ai.operation.name': operation,
      ...(model === undefined ? {} : { 'gen_ai.request.model': model }),
      'heed.attempt.number': event.number,
      'heed.attempt.target_number': event.targetAttempt,
    }
    const name = model === undefined ? operation : `${operation} ${model}`
    call.attempt = this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, call.within)
  }

  failure(event: FailureEvent): void {
    const call = this.#calls.get(event.callId)
    const span = call?.attempt
    if (call === undefined || span === undefined) return
    call.attempt = undefined
    span.setAttributes(classOf(event))
    if (event.found === 'aborted') finish(span, 'cancelled')
    else finish(span, 'failed', errorOf(event))
  }

  success(event: SuccessEvent): void {
    const call = this.#close(event)
    if (call?.attempt !== undefined) finish(call.attempt, 'served')
    if (call !== undefined) finish(call.span, 'served', { ...targetOf(event), 'heed.attempts': event.attempts })
  }

  surface(event: SurfaceEvent): void {
    this.#open(event, event.attempts === 0)
    const call = this.#close(event)
    if (call === undefined) return
    const ending = endingOf(event)
    const { class: said, reason, attempts } = event
    call.span.setAttributes({ ...classOf(event), 'heed.reason': reason, 'heed.attempts': attempts })
    if (ending === 'cancelled') finish(call.span, ending)
    else finish(call.span, ending, said === undefined ? { 'error.type': reason } : errorOf({ class: said }))
  }

  retry(event: RetryEvent): void {
    this.#note(event, false, 'heed.retry', going(event))
  }

  advance(event: AdvanceEvent): void {
    const from: Attributes = event.from === undefined ? {} : { 'heed.candidate.from': event.from }
    this.#note(event, event.from === undefined, 'heed.advance', { ...going(event), ...from })
  }

  pause(event: PauseEvent): void {
    // Only a call that found the provider blocked may not have made an attempt yet.
    const attributes = { ...targetOf(event), 'heed.reason': event.reason }
    this.#note(event, event.reason === 'blocked', 'heed.pause', attributes)
  }

  resume(event: ResumeEvent): void {
    const paused = { 'heed.outcome': event.outcome, 'heed.pause.duration': secondsOf(event.pausedMs) }
    this.#note(event, false, 'heed.resume', { ...targetOf(event), ...paused })
  }

  reduce(event: ReduceEvent): void {
    this.#note(event, event.reduction === 1, 'heed.reduce', { ...targetOf(event), 'heed.reduction': event.reduction })
  }

  commit(event: CommitEvent): void {
    this.#calls.get(event.callId)?.attempt?.addEvent('heed.commit', { 'heed.by': event.by })
  }

  /** Nobody listens any more: what is open is ended as it is, or nobody ever would. */
  close(): void {
    for (const { attempt, span } of this.#calls.values()) {
      attempt?.end()
      span.end()
    }
    this.#calls.clear()
  }

  #open(event: CallEvent, mayBegin: boolean): OpenCall | undefined {
    const open = this.#calls.get(event.callId)
    if (open !== undefined || !mayBegin) return open
    const parent = context.active()
    const attributes = { 'heed.candidate.asked': event.asked }
    const span = this.#tracer.startSpan(
      `heed ${this.#names.operation}`,
      { kind: SpanKind.INTERNAL, attributes },
      parent,
    )
    const call: OpenCall = { span, within: trace.setSpan(parent, span), attempt: undefined }
    this.#calls.set(event.callId, call)
    return call
  }

  #close({ callId }: CallEvent): OpenCall | undefined {
    const call = this.#calls.get(callId)
    this.#calls.delete(callId)
    return call
  }

  #note(event: CallEvent, mayBegin: boolean, name: string, attributes: Attributes): void {
    this.#open(event, mayBegin)?.span.addEvent(name, attributes)
  }
}

function going(event: RetryEvent | AdvanceEvent): Attributes {
  const { reason, delayMs } = event
  return { ...targetOf(event), ...classOf(event), 'heed.reason': reason, 'heed.wait.planned': secondsOf(delayMs) }
}

function finish(span: Span, ending: Ending, attributes: Attributes = {}): void {
  span.setAttributes({ ...attributes, 'heed.outcome': ending })
  // Without a message: the only one there is would be the producer's.
  if (ending === 'failed' || ending === 'suspended') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
