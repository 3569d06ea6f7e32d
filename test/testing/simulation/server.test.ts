import type { Phase } from 'heed/testing'
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
