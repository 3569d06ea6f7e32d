import { noRetry, type Phase, simulate } from 'heed/testing'
import { expect, test } from 'vitest'
import { randomFor } from '../../../src/testing/simulation/random.ts'
import { Server } from '../../../src/testing/simulation/server.ts'

const serverWith = (...phases: readonly Phase[]): Server =>
  new Server({ capacityPerSec: 1_000, phases }, randomFor(1, 'server'))

const refusalsAt = (server: Server, times: readonly number[], credential?: string): readonly unknown[] =>
  times.map((atMs) => {
    server.ask(atMs, credential)
    return server.refusal
  })

test('an outage refuses from its start to before its end, with the hint it was given', () => {
  const bare = serverWith({ kind: 'outage', fromMs: 10, untilMs: 20 })
  expect(refusalsAt(bare, [9, 10, 19, 20])).toEqual([
    undefined,
    { class: 'transient' },
    { class: 'transient' },
    undefined,
  ])
  const hinting = serverWith({ kind: 'outage', fromMs: 0, untilMs: 20, retryAfterSecs: 3 })
  expect(refusalsAt(hinting, [0])).toEqual([{ class: 'transient', retryAfterSecs: 3 }])
  expect(hinting).toMatchObject({ admitted: 0, refused: 1, busyMs: 0 })
})

test('a rate window takes so many and tells the others its end', () => {
  const server = serverWith({ kind: 'rate_window', fromMs: 1_000, untilMs: 21_000, windowMs: 10_000, requests: 2 })
  const full = (retryAfterSecs: number) => ({ class: 'transient', retryAfterSecs })
  expect(refusalsAt(server, [0, 1_000, 5_000, 6_000, 10_500, 11_000, 11_001, 11_002, 21_000])).toEqual([
    undefined,
    undefined,
    undefined,
    full(5),
    full(0.5),
    undefined,
    undefined,
    full(9.998),
    undefined,
  ])
})

const rateWindow = (windowMs: number, requests: number): Phase => ({
  kind: 'rate_window',
  fromMs: 0,
  untilMs: Number.POSITIVE_INFINITY,
  windowMs,
  requests,
})

test.each([
  { order: 'the shorter first', phases: [rateWindow(1_000, 1), rateWindow(10_000, 3)] },
  { order: 'the longer first', phases: [rateWindow(10_000, 3), rateWindow(1_000, 1)] },
])('of two rate windows both need room, a refused request is counted in neither: $order', ({ phases }) => {
  const full = (retryAfterSecs: number) => ({ class: 'transient', retryAfterSecs })
  // Each second takes one; the longer is full after the third, whatever was refused meanwhile, and then tells its end.
  expect(refusalsAt(serverWith(...phases), [0, 500, 750, 1_000, 2_000, 2_500, 3_000, 9_500, 10_000, 10_001])).toEqual([
    undefined,
    full(0.5),
    full(0.25),
    undefined,
    undefined,
    full(7.5),
    full(7),
    full(0.5),
    undefined,
    full(0.999),
  ])
})

test('two rate windows let through what the tighter one allows', () => {
  const { servers } = simulate({
    seed: 1,
    clients: 5,
    callsPerSec: 20,
    forMs: 20_000,
    arrivals: 'even',
    behaviour: noRetry(),
    servers: [{ capacityPerSec: 1_000, phases: [rateWindow(1_000, 5), rateWindow(10_000, 20)] }],
  })
  // Five in each of four seconds, then the longer is full; twice.
  expect(servers[0]).toMatchObject({ admitted: 40, refused: 360 })
})

test('a rate window counts what a later phase or a full queue refuses: it had let it through', () => {
  const full = { class: 'transient', retryAfterSecs: 9.997 }
  const outage = { kind: 'outage', fromMs: 0, untilMs: 2 } as const
  expect(refusalsAt(serverWith(rateWindow(10_000, 3), outage), [0, 1, 2, 3]).slice(2)).toEqual([undefined, full])
  expect(refusalsAt(serverWith(outage, rateWindow(10_000, 1)), [0, 1, 2, 3]).slice(2)).toEqual([undefined, full])
  const queue = new Server({ capacityPerSec: 1, queueLimit: 1, phases: [rateWindow(10_000, 3)] }, randomFor(1, 'queue'))
  expect(refusalsAt(queue, [0, 1, 2, 3]).slice(1)).toEqual([{ class: 'transient' }, { class: 'transient' }, full])
})

test('a revoked key is refused, and others are not where it is named', () => {
  const named = serverWith({ kind: 'revoked_key', fromMs: 0, untilMs: 10, credential: 'a' })
  expect(refusalsAt(named, [0, 10], 'a')).toEqual([{ class: 'auth_required' }, undefined])
  expect(refusalsAt(serverWith({ kind: 'revoked_key', fromMs: 0, untilMs: 10, credential: 'a' }), [0], 'b')).toEqual([
    undefined,
  ])
  expect(refusalsAt(serverWith({ kind: 'revoked_key', fromMs: 0, untilMs: 10 }), [0])).toEqual([
    { class: 'auth_required' },
  ])
})

test('a flaky server refuses about its share', () => {
  const server = serverWith({ kind: 'flaky', fromMs: 0, untilMs: 1e9, share: 0.05 })
  for (let atMs = 0; atMs < 100_000; atMs += 1) server.ask(atMs, undefined)
  // Five standard deviations of a hundred thousand draws are 345.
  expect(Math.abs(server.refused - 5_000)).toBeLessThan(345)
  expect(server.admitted + server.refused).toBe(100_000)
})
