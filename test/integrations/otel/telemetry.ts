import { type Attributes, context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'

class PulledReader extends MetricReader {
  protected override onShutdown(): Promise<void> {
    return Promise.resolve()
  }

  protected override onForceFlush(): Promise<void> {
    return Promise.resolve()
  }
}

/** One data point of a metric. */
export interface Point {
  readonly attributes: Attributes
  readonly value: unknown
}

/** The real SDK, with all that it was told kept in memory. */
export class Telemetry {
  readonly #spans = new InMemorySpanExporter()
  readonly #reader = new PulledReader()
  /** Spans that have started and not ended. */
  open = 0
  readonly tracerProvider: BasicTracerProvider = new BasicTracerProvider({
    spanProcessors: [
      new SimpleSpanProcessor(this.#spans),
      {
        onStart: () => {
          this.open += 1
        },
        onEnd: () => {
          this.open -= 1
        },
        forceFlush: () => Promise.resolve(),
        shutdown: () => Promise.resolve(),
      },
    ],
  })
  readonly meterProvider: MeterProvider = new MeterProvider({ readers: [this.#reader] })

  constructor() {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  }

  /** What `observe` is given. */
  get providers(): Pick<Telemetry, 'tracerProvider' | 'meterProvider'> {
    return { tracerProvider: this.tracerProvider, meterProvider: this.meterProvider }
  }

  /** Spans in the order in which they ended. */
  get spans(): readonly ReadableSpan[] {
    return this.#spans.getFinishedSpans()
  }

  /** Calls' own spans, or those that are children of one. */
  named(start: string): readonly ReadableSpan[] {
    return this.spans.filter(({ name }) => name.startsWith(start))
  }

  async points(metric: string): Promise<readonly Point[]> {
    const all = (await this.collected()).flatMap(({ metrics }) => metrics)
    return all.find(({ descriptor }) => descriptor.name === metric)?.dataPoints ?? []
  }

  async collected() {
    const { resourceMetrics, errors } = await this.#reader.collect()
    if (errors.length > 0) throw errors[0]
    return resourceMetrics.scopeMetrics
  }

  /** All that leaves the process, as text. */
  async exported(): Promise<string> {
    const told = this.spans.map(({ name, attributes, events, status, links }) => ({
      name,
      attributes,
      events,
      status,
      links,
    }))
    return JSON.stringify([told, await this.collected()])
  }
}

/** A span as a reader sees it. */
export function shape({ name, kind, attributes, events, status }: ReadableSpan) {
  return { name, kind, status, attributes, events: events.map((event) => [event.name, event.attributes]) }
}
