import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { createHealth, heed } from 'heed'
import { observe } from 'heed/integrations/otel'
import { constant } from 'heed/strategies/backoff/constant'
import { fakeClock, producedError } from 'heed/testing'
import { expect, test } from 'vitest'
import { shape, Telemetry } from './telemetry.ts'

const candidates = [
  { id: 'gpt-5', provider: 'openai', contextWindow: 100 },
  { id: 'opus', provider: 'anthropic', contextWindow: 200 },
]

function stage(options: { readonly operation?: string; readonly model?: (id: string) => string | undefined } = {}) {
  const clock = fakeClock()
  const health = createHealth({ clock })
  const telemetry = new Telemetry()
  const { tracerProvider, meterProvider } = telemetry
  const stop = observe(health, { tracerProvider, meterProvider, ...options })
  const guard = heed({ candidates, health, clock, random: () => 0, backoff: constant(500) })
  return { clock, health, telemetry, stop, guard, tracer: tracerProvider.getTracer('test') }
}

/** Fails as told, one by one, then serves. */
const failing =
  (...classes: readonly (string | undefined)[]) =>
  ({ number }: { readonly number: number }): string => {
    if (number > classes.length) return 'served'
    const stated = classes[number - 1]
    throw stated === undefined ? new Error('no class') : producedError(stated)
  }

test('a call with a wait and an advance is one span with a child for each attempt', async () => {
  const { clock, telemetry, guard } = stage()
  await clock.run(guard.execute(failing('transient', 'permanent')))
  const gpt = { 'heed.candidate': 'gpt-5', 'gen_ai.provider.name': 'openai' }
  const opus = { 'heed.candidate': 'opus', 'gen_ai.provider.name': 'anthropic' }
  const attempt = (model: string, number: number, target: number) => ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model,
    'heed.attempt.number': number,
    'heed.attempt.target_number': target,
  })
  expect(telemetry.spans.map(shape)).toEqual([
    {
      name: 'chat gpt-5',
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.ERROR },
      attributes: {
        ...gpt,
        ...attempt('gpt-5', 1, 1),
        'heed.class': 'transient',
        'error.type': 'transient',
        'heed.outcome': 'failed',
      },
      events: [],
    },
    {
      name: 'chat gpt-5',
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.ERROR },
      attributes: {
        ...gpt,
        ...attempt('gpt-5', 2, 2),
        'heed.class': 'permanent',
        'error.type': 'permanent',
        'heed.outcome': 'failed',
      },
      events: [],
    },
    {
      name: 'chat opus',
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.UNSET },
      attributes: { ...opus, ...attempt('opus', 3, 1), 'heed.outcome': 'served' },
      events: [],
    },
    {
      name: 'heed chat',
      kind: SpanKind.INTERNAL,
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'heed.candidate.asked': 'gpt-5', ...opus, 'heed.attempts': 3, 'heed.outcome': 'served' },
      events: [
        ['heed.retry', { ...gpt, 'heed.class': 'transient', 'heed.reason': 'backoff', 'heed.wait.planned': 0.5 }],
        [
          'heed.advance',
          {
            ...opus,
            'heed.class': 'permanent',
            'heed.reason': 'permanent',
            'heed.wait.planned': 0,
            'heed.candidate.from': 'gpt-5',
          },
        ],
      ],
    },
  ])
  const [first, second, third, call] = telemetry.spans
  for (const child of [first, second, third]) expect(child?.parentSpanContext).toEqual(call?.spanContext())
  expect(telemetry.open).toBe(0)
})

test('200 calls at once: each span has the parent that was active where its call was made', async () => {
  const { clock, telemetry, guard, tracer } = stage()
  const called = Array.from({ length: 200 }, (_, n) => {
    const parent = tracer.startSpan(`request ${n}`)
    const done = context.with(trace.setSpan(ROOT_CONTEXT, parent), () => guard.execute(failing('permanent')))
    return done.then(() => parent.end())
  })
  await clock.run(Promise.all(called))
  const calls = telemetry.named('heed chat')
  expect(calls).toHaveLength(200)
  const parents = telemetry.named('request').map((span) => span.spanContext().spanId)
  expect(new Set(calls.map((span) => span.parentSpanContext?.spanId))).toEqual(new Set(parents))
  for (const call of calls) {
    const { spanId, traceId } = call.spanContext()
    const children = telemetry.spans.filter((span) => span.parentSpanContext?.spanId === spanId)
    expect(children.map(({ name }) => name)).toEqual(['chat gpt-5', 'chat opus'])
    expect(children.every((span) => span.spanContext().traceId === traceId)).toBe(true)
  }
  expect(telemetry.open).toBe(0)
})

test('a call that waits before its first attempt begins where it was made', async () => {
  const { clock, telemetry, guard, tracer } = stage()
  const hinted = ({ candidate }: { readonly candidate: { readonly id: string } }): string => {
    if (candidate.id === 'gpt-5' && clock.now() === 0) throw producedError('transient', { retryAfterSecs: 2 })
    if (candidate.id === 'opus') throw producedError('permanent')
    return 'served'
  }
  const first = guard.execute(hinted)
  const parent = tracer.startSpan('parent')
  const waiting = context.with(trace.setSpan(ROOT_CONTEXT, parent), () => guard.execute(hinted))
  await clock.run(Promise.all([first, waiting]))
  const waited = telemetry.named('heed chat').find((span) => span.parentSpanContext !== undefined)
  expect(waited?.parentSpanContext).toEqual(parent.spanContext())
  expect(waited?.events.map(({ name }) => name)).toContain('heed.advance')
})

test('a call that surfaces without an attempt has a span', async () => {
  const { telemetry, guard } = stage()
  const outcome = await guard.settle(() => 'served', { inputTokens: 500 })
  expect(outcome.attempts).toEqual([])
  expect(telemetry.spans.map(shape)).toMatchObject([
    {
      name: 'heed chat',
      status: { code: SpanStatusCode.ERROR },
      attributes: {
        'heed.class': 'context_overflow',
        'error.type': 'context_overflow',
        'heed.attempts': 0,
        'heed.outcome': 'failed',
      },
    },
  ])
  expect(telemetry.open).toBe(0)
})

test('a pause, and an abort within it', async () => {
  const { clock, telemetry, guard } = stage()
  const controller = new AbortController()
  const paused = guard.settle(failing('auth_required'), { abortSignal: controller.signal })
  const resumed = guard.execute(failing('auth_required'))
  await clock.advance(1_000)
  controller.abort()
  expect((await paused).status).toBe('cancelled')
  guard.auth.resolve('openai')
  await clock.run(resumed)
  const [cancelled, served] = telemetry.named('heed chat').map(shape)
  expect(cancelled).toMatchObject({
    status: { code: SpanStatusCode.UNSET },
    attributes: { 'heed.outcome': 'cancelled' },
  })
  expect(cancelled?.attributes).not.toHaveProperty('error.type')
  expect(served?.events.map(([name]) => name)).toEqual(['heed.pause', 'heed.resume', 'heed.retry'])
  expect(served?.events[1]?.[1]).toMatchObject({ 'heed.outcome': 'resolved', 'heed.pause.duration': 1 })
  expect(telemetry.open).toBe(0)
})

test('suspended, unknown and unclassified calls; a cut attempt; an abort under way', async () => {
  const { telemetry, guard, clock, health } = stage()
  const refusing = heed({
    candidates: [{ id: 'x', provider: 'x' }],
    health,
    clock,
    auth: () => 'surface',
    attemptTimeoutMs: 50,
  })
  await refusing.settle(failing('auth_required'))
  refusing.auth.resolve('x')
  await guard.settle(failing('sk-live-1234'))
  await guard.settle(failing(undefined))
  await clock.run(refusing.settle(() => new Promise(() => {})))
  const controller = new AbortController()
  const aborted = guard.settle(() => new Promise(() => {}), { abortSignal: controller.signal })
  controller.abort()
  await aborted
  const ended = (name: string) =>
    telemetry
      .named(name)
      .map(({ attributes: of, status }) => [of['heed.outcome'], of['error.type'], of['heed.class'], status.code])
  const { ERROR, UNSET } = SpanStatusCode
  expect(ended('heed')).toEqual([
    ['suspended', 'auth_required', 'auth_required', ERROR],
    ['failed', '_OTHER', 'other', ERROR],
    ['failed', 'unclassified', undefined, ERROR],
    ['failed', 'attempt_timeout', undefined, ERROR],
    ['cancelled', undefined, undefined, UNSET],
  ])
  expect(ended('chat')).toEqual([
    ['failed', 'auth_required', 'auth_required', ERROR],
    ['failed', '_OTHER', 'other', ERROR],
    ['failed', '_OTHER', undefined, ERROR],
    ['failed', 'attempt_timeout', undefined, ERROR],
    ['cancelled', undefined, undefined, UNSET],
  ])
})

test('a stream ends its spans when it ends, and tells its commit', async () => {
  const { telemetry, guard } = stage()
  const stream = guard.stream(async function* () {
    yield 'one'
    yield 'two'
  })
  for await (const item of stream) if (item === 'two') expect(telemetry.open).toBe(2)
  expect(telemetry.open).toBe(0)
  expect(telemetry.named('chat').map(({ events }) => events.map(({ name, attributes }) => [name, attributes]))).toEqual(
    [[['heed.commit', { 'heed.by': 'content' }]]],
  )
})

test('the operation and the model are the user’s to name', async () => {
  const { telemetry, guard } = stage({ operation: 'execute_tool', model: () => undefined })
  await guard.execute(() => 'served')
  expect(telemetry.spans.map(({ name }) => name)).toEqual(['execute_tool', 'heed execute_tool'])
  expect(telemetry.spans[0]?.attributes).not.toHaveProperty('gen_ai.request.model')
})
