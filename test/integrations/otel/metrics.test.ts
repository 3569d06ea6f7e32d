import { createHealth, heed } from 'heed'
import { observe } from 'heed/integrations/otel'
import { constant } from 'heed/strategies/backoff/constant'
import { fakeClock, producedError } from 'heed/testing'
import { expect, test } from 'vitest'
import { Telemetry } from './telemetry.ts'

const one = { 'heed.candidate': 'one', 'gen_ai.provider.name': 'a' }
const two = { 'heed.candidate': 'two', 'gen_ai.provider.name': 'b' }

function stage() {
  const clock = fakeClock()
  const health = createHealth({ clock })
  const telemetry = new Telemetry()
  observe(health, telemetry.providers)
  const candidates = [
    { id: 'one', provider: 'a', contextWindow: 10 },
    { id: 'two', provider: 'b', contextWindow: 10 },
  ]
  const guard = heed({ candidates, health, clock, random: () => 0, backoff: constant(500) })
  const counts = async (metric: string) =>
    (await telemetry.points(metric)).map(({ attributes, value }) => ({ ...attributes, n: value }))
  const seconds = async (metric: string) =>
    (await telemetry.points(metric)).map(({ attributes, value }) => {
      const { count, sum } = value as { count: number; sum: number }
      return { ...attributes, count, sum }
    })
  return { clock, guard, counts, seconds }
}

const failing =
  (...classes: readonly string[]) =>
  ({ number }: { readonly number: number }): string => {
    if (number > classes.length) return 'served'
    throw producedError(classes[number - 1] ?? '')
  }

test('attempts, decisions, advances, waits and calls', async () => {
  const { clock, guard, counts, seconds } = stage()
  await clock.run(guard.execute(failing('transient', 'permanent')))
  await clock.run(guard.execute(failing('transient')))
  await guard.settle(failing('sky_fell'))

  expect(await counts('heed.attempts')).toEqual([
    { ...one, 'heed.outcome': 'failed', 'error.type': 'transient', n: 2 },
    { ...one, 'heed.outcome': 'failed', 'error.type': 'permanent', n: 1 },
    { ...two, 'heed.outcome': 'served', n: 1 },
    { ...one, 'heed.outcome': 'served', n: 1 },
    { ...one, 'heed.outcome': 'failed', 'error.type': '_OTHER', n: 1 },
  ])
  expect(await counts('heed.decisions')).toEqual([
    { 'heed.decision': 'retry', 'heed.reason': 'backoff', 'heed.class': 'transient', n: 2 },
    { 'heed.decision': 'advance', 'heed.reason': 'permanent', 'heed.class': 'permanent', n: 1 },
    { 'heed.decision': 'surface', 'heed.reason': 'unknown_class', 'heed.class': 'other', n: 1 },
  ])
  expect(await counts('heed.advances')).toEqual([{ ...two, 'heed.reason': 'permanent', n: 1 }])
  expect(await seconds('heed.wait.duration')).toEqual([{ ...one, 'heed.reason': 'backoff', count: 2, sum: 1 }])
  const asked = { 'heed.candidate.asked': 'one' }
  expect(await counts('heed.calls')).toEqual([
    { ...asked, ...two, 'heed.outcome': 'served', n: 1 },
    { ...asked, ...one, 'heed.outcome': 'served', n: 1 },
    { ...asked, 'heed.candidate': 'one', 'heed.outcome': 'failed', n: 1 },
  ])
})

test('time in pause, with an answer and without', async () => {
  const { clock, guard, counts, seconds } = stage()
  const controller = new AbortController()
  const left = guard.settle(failing('auth_required'), { abortSignal: controller.signal })
  const answered = guard.execute(failing('auth_required'))
  await clock.advance(2_000)
  controller.abort()
  await left
  await clock.advance(1_000)
  guard.auth.resolve('a')
  await clock.run(answered)

  const by = { 'gen_ai.provider.name': 'a' }
  expect(await counts('heed.pauses')).toEqual([{ ...by, 'heed.reason': 'auth_required', n: 2 }])
  expect(await seconds('heed.pause.duration')).toEqual([
    { ...by, 'heed.outcome': 'cancelled', count: 1, sum: 2 },
    { ...by, 'heed.outcome': 'resolved', count: 1, sum: 3 },
  ])
  expect((await counts('heed.calls')).map((point) => Reflect.get(point, 'heed.outcome'))).toEqual([
    'cancelled',
    'served',
  ])
})

test('a wait that an abort cuts counts for as long as it was', async () => {
  const { clock, guard, seconds } = stage()
  const controller = new AbortController()
  const waiting = guard.settle(failing('transient'), { abortSignal: controller.signal })
  await clock.advance(200)
  controller.abort()
  await waiting
  expect(await seconds('heed.wait.duration')).toEqual([{ ...one, 'heed.reason': 'backoff', count: 1, sum: 0.2 }])
})

test('a reduction is a decision', async () => {
  const { guard, counts } = stage()
  const call = { input: 'long', reduce: () => 'short' }
  await guard.execute(failing('context_overflow'), call)
  expect(await counts('heed.decisions')).toEqual([
    { 'heed.decision': 'reduce', 'heed.reason': 'context_overflow', 'heed.class': 'context_overflow', n: 1 },
    { 'heed.decision': 'retry', 'heed.reason': 'reduced', n: 1 },
  ])
})

test('attempts and calls carry their units', async () => {
  const telemetry = new Telemetry()
  const health = createHealth()
  observe(health, telemetry.providers)
  await heed({ candidates: [{ id: 'one', provider: 'a' }], health }).execute(() => 'served')
  const told = (await telemetry.collected()).flatMap(({ metrics }) =>
    metrics.map(({ descriptor: of }) => [of.name, of.unit]),
  )
  expect(told).toEqual([
    ['heed.attempts', '{attempt}'],
    ['heed.calls', '{call}'],
  ])
})
