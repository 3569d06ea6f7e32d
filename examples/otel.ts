/**
 * OpenTelemetry from the health channel alone: one call that waits and goes on is one span with a child for each
 * attempt, and the metrics count why. Attributes name candidates, providers and classes; no text gets in.
 */
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createHealth, heed } from 'heed'
import { observe } from 'heed/integrations/otel'
import { fakeClock, producedError, scriptedProducer } from 'heed/testing'

// Yours export to a collector; these keep all in memory.
class Reader extends MetricReader {
  protected onShutdown = async (): Promise<void> => {}
  protected onForceFlush = async (): Promise<void> => {}
}
const [exporter, reader] = [new InMemorySpanExporter(), new Reader()]
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const meterProvider = new MeterProvider({ readers: [reader] })

const clock = fakeClock()
const health = createHealth({ clock }) // share it between guards and observe them all at once
const stop = observe(health, { tracerProvider, meterProvider })

const secret = 'sk-live-1234'
const { call } = scriptedProducer(
  {
    'gpt-5': [
      { error: producedError('transient', { retryAfterSecs: 2, message: `key ${secret} is over its limit` }) },
      { error: producedError('permanent', { message: `key ${secret} has no credit` }) },
    ],
  },
  { clock },
)
const candidates = [
  { id: 'gpt-5', provider: 'openai' },
  { id: 'opus', provider: 'anthropic' },
]
await clock.run(heed({ candidates, health, clock, random: () => 0 }).execute(call))
stop()

for (const { name, attributes: of, events } of exporter.getFinishedSpans()) {
  const notes = events.map((event) => `, ${event.name} after ${event.attributes?.['heed.class']}`).join('')
  console.log(`${name}: ${of['error.type'] ?? of['heed.outcome']}${notes}`)
}
// => chat gpt-5: transient
// => chat gpt-5: permanent
// => chat opus: served
// => heed chat: served, heed.retry after transient, heed.advance after permanent

const { resourceMetrics } = await reader.collect()
for (const { descriptor, dataPoints } of resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)) {
  const total = dataPoints.map(({ value }) => (typeof value === 'number' ? value : `${value.sum} s`))
  console.log(`${descriptor.name}: ${total.join(' + ')}`)
}
// => heed.attempts: 1 + 1 + 1
// => heed.calls: 1
// => heed.advances: 1
// => heed.decisions: 1 + 1
// => heed.wait.duration: 2 s
