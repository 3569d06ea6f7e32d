import { createHealth, heed } from 'heed'
import { observe } from 'heed/integrations/otel'
import { constant } from 'heed/strategies/backoff/constant'
import { fakeClock, producedError } from 'heed/testing'
import { expect, test } from 'vitest'
import { Telemetry } from './telemetry.ts'

function stage() {
  const clock = fakeClock()
  const health = createHealth({ clock })
  const telemetry = new Telemetry()
  const candidates = [
    { id: 'one', provider: 'a', credentials: [{ id: 'id-of-a-secret', secret: 'sk-1' }] },
    { id: 'two', provider: 'b' },
  ]
  const guard = heed({ candidates, health, clock, random: () => 0, backoff: constant(500) })
  return { clock, health, telemetry, guard, start: () => observe(health, telemetry.providers) }
}

test('nothing secret gets in: no message, body, credential, unknown class or prompt', async () => {
  const { clock, telemetry, guard, start } = stage()
  start()
  const secret = 'sk-live-1234'
  const body = { error: { message: `the prompt was ${secret}` }, headers: { authorization: secret } }
  const failures = [
    Object.assign(producedError('transient', { message: secret }), { body }),
    Object.assign(producedError('permanent', { message: secret }), { body, detail: { secret } }),
    Object.assign(producedError('auth_required', { message: secret }), { body }),
    producedError(`class-${secret}`),
    Object.assign(new Error(secret, { cause: new Error(secret) }), { name: secret, code: secret }),
    { isError: true, content: [{ text: secret }], class: secret },
  ]
  for (const failure of failures) {
    const call = { input: secret, timeoutMs: 60_000 }
    const run = guard.settle(({ number }) => {
      if (number === 1) throw failure
      return secret
    }, call)
    await clock.advance(1)
    guard.auth.resolve('a')
    await clock.run(run)
  }
  expect(telemetry.named('heed')).toHaveLength(failures.length)
  const exported = await telemetry.exported()
  expect(exported).toContain('heed.attempts')
  expect(exported).not.toMatch(/sk-|prompt was|id-of-a-secret|callId/)
})

test.each<[object, string]>([
  [{ traceProvider: {} }, 'observe: traceProvider is not an option; give tracerProvider, meterProvider, '],
  [{ model: 'gpt-5' }, "observe: model: give a function of the candidate's id"],
])('what would be ignored is refused: %o', (options, told) => {
  expect(() => observe(createHealth(), options as never)).toThrow(told)
})

test('a call that began before anybody listened has no span, and its end is counted', async () => {
  const { clock, telemetry, guard, start } = stage()
  let answer: ((text: string) => void) | undefined
  const early = [
    guard.execute(({ number }) => {
      if (number === 1) throw producedError('transient')
      return 'after a wait'
    }),
    guard.execute(
      () =>
        new Promise<string>((resolve) => {
          answer = resolve
        }),
    ),
  ]
  await clock.advance(0)
  start()
  answer?.('while it ran')
  await clock.run(Promise.all(early))
  expect(telemetry.spans).toEqual([])
  const calls = await telemetry.points('heed.calls')
  expect(calls.map(({ value }) => value)).toEqual([2])

  await guard.execute(() => 'from the start')
  expect(telemetry.spans.map(({ name }) => name)).toEqual(['chat one', 'heed chat'])
})

test('to stop ends what is open, and nothing is heard afterwards', async () => {
  const { telemetry, guard, start } = stage()
  const stop = start()
  const controller = new AbortController()
  const running = guard.settle(() => new Promise(() => {}), { abortSignal: controller.signal })
  expect(telemetry.open).toBe(2)
  stop()
  stop()
  expect(telemetry.open).toBe(0)
  controller.abort()
  await running
  await guard.execute(() => 'unheard')
  expect(telemetry.spans).toHaveLength(2)
  expect(await telemetry.points('heed.calls')).toEqual([])
})

test('an SDK that throws changes nothing, and the metrics go on', async () => {
  const { telemetry, guard, health } = stage()
  const tracerProvider = {
    getTracer: () => {
      const broken = (): never => {
        throw new Error('the exporter is full')
      }
      return { startSpan: broken, startActiveSpan: broken }
    },
  }
  observe(health, { tracerProvider, meterProvider: telemetry.meterProvider })
  const faults: string[] = []
  health.on('listener_fault', ({ listenedTo }) => faults.push(listenedTo))
  expect(await guard.execute(() => 'served')).toBe('served')
  expect(faults).toEqual(['attempt'])
  expect((await telemetry.points('heed.calls')).map(({ value }) => value)).toEqual([1])
})

test('without a provider nothing happens', async () => {
  const { guard, health } = stage()
  observe(health)()
  observe(health)
  expect(await guard.execute(() => 'served')).toBe('served')
})

test('nothing is held once 2,000 calls have ended', async () => {
  const { clock, telemetry, guard, start } = stage()
  start()
  const ends = Array.from({ length: 2_000 }, (_, n) =>
    guard.settle(({ number }) => {
      if (number <= n % 3) throw producedError(['transient', 'permanent', 'sky_fell'][n % 3] ?? '')
      return 'served'
    }),
  )
  await clock.run(Promise.all(ends))
  expect(telemetry.open).toBe(0)
  expect(telemetry.named('heed')).toHaveLength(2_000)
  // As few series as the chain has candidates and heed has words.
  const series = (await telemetry.collected()).flatMap(({ metrics }) =>
    metrics.flatMap(({ dataPoints }) => [...dataPoints]),
  )
  expect(series.length).toBeLessThan(40)
})
