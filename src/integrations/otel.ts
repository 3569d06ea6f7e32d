import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api'
import { mustBeKnown } from '../core/must-be-known.ts'
import type { Health } from '../health/health.ts'
import { Measures } from './otel/measures.ts'
import { CallSpans } from './otel/spans.ts'

/** What `observe()` takes. All optional. */
export interface ObserveOptions {
  /** @default the global one */
  readonly tracerProvider?: TracerProvider | undefined
  /** @default the global one */
  readonly meterProvider?: MeterProvider | undefined
  /** `gen_ai.operation.name` of the attempts: `embeddings`, or `execute_tool` for tools. @default 'chat' */
  readonly operation?: string | undefined
  /**
   * `gen_ai.request.model` for a candidate's id; nothing where it is no model. It must not be made of secrets, and of few
   * values. heed's other hosts name their candidates `<provider>/<model>` unless you give ids: cut that here where a
   * dashboard wants the bare model. @default the id itself: events tell of no other name
   */
  readonly model?: ((candidate: string) => string | undefined) | undefined
}

const OPTIONS = ['tracerProvider', 'meterProvider', 'operation', 'model'] satisfies readonly (keyof ObserveOptions)[]

/** Each of these is heard by both; the rest of the events say nothing of a call's way. */
const HEARD = ['attempt', 'failure', 'success', 'surface', 'retry', 'advance', 'pause', 'resume', 'reduce'] as const

/**
 * Reports what a health's events say as OpenTelemetry spans and metrics: a span for each call, in the context that was
 * active when it began, a child span for each attempt, and counters and durations under `heed.*`. Attributes hold ids
 * of candidates and providers, classes of the set (any other string is `other`), words of heed's own, counts and
 * seconds: no content, message or credential. Nothing that the SDK does changes how a call ends.
 *
 * Spans that your clients make within an attempt are siblings of its span, not children: events cannot set the context
 * that your function runs in.
 *
 * @returns How to stop; it ends the spans that are open.
 * @throws TypeError where the health or an option is wrong, naming the path and the fix.
 */
export function observe(health: Health, options: ObserveOptions = {}): () => void {
  const { tracerProvider, meterProvider, operation, model } = checked(health, options)
  const spans = new CallSpans(tracerProvider.getTracer('heed'), { operation, model })
  const measures = new Measures(meterProvider.getMeter('heed'))
  const stops = [
    ...HEARD.flatMap((name) => [
      health.on(name, (event) => measures[name](event as never)),
      health.on(name, (event) => spans[name](event as never)),
    ]),
    health.on('commit', (event) => spans.commit(event)),
  ]
  return () => {
    for (const stop of stops) stop()
    spans.close()
  }
}

/** The options with the defaults filled in. */
function checked(health: Health, options: ObserveOptions) {
  if (typeof (Object(health) as Partial<Health>).on !== 'function') {
    throw new TypeError('observe: health: give the health of a guard, or what createHealth() made')
  }
  mustBeKnown(options, OPTIONS, 'observe')
  const { tracerProvider = trace, meterProvider = metrics, operation = 'chat', model = (id: string) => id } = options
  if (typeof tracerProvider?.getTracer !== 'function') {
    throw new TypeError('observe: tracerProvider: give a TracerProvider of OpenTelemetry')
  }
  if (typeof meterProvider?.getMeter !== 'function') {
    throw new TypeError('observe: meterProvider: give a MeterProvider of OpenTelemetry')
  }
  if (typeof operation !== 'string') throw new TypeError("observe: operation: give a name, as in 'embeddings'")
  if (typeof model !== 'function') throw new TypeError("observe: model: give a function of the candidate's id")
  return { tracerProvider, meterProvider, operation, model }
}
