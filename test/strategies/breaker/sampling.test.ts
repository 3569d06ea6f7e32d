import { sampling } from 'heed/strategies/breaker/sampling'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { BreakerCounter } from '../../../src/core/strategy.ts'
import { breakerConformance } from '../../../src/testing/conformance/breaker.ts'

let nowMs: number

// cockatiel's window reads Date.now; every test here moves it by hand.
beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1)
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs)
})

afterEach(() => {
  vi.restoreAllMocks()
})

const failures = (counter: BreakerCounter, count: number): readonly boolean[] =>
  Array.from({ length: count }, () => counter.failure())

describe.each([
  {},
  { threshold: 0.01 },
  { threshold: 0.99, minimumRps: 1 },
  { durationMs: 5, minimumRps: 0.001 },
  { durationMs: 86_400_000, minimumRps: 0.001 },
])('sampling(%o)', (options) => {
  for (const { name, run } of breakerConformance(sampling(options))) test(name, run)
})

describe('sampling', () => {
  // 10 s at 1 a second: ten outcomes are enough to judge.
  const small = sampling({ durationMs: 10_000, minimumRps: 1 })

  test('cools for 30 s, and needs 300 outcomes in 30 s, by default', () => {
    expect(sampling().coolMs).toBe(30_000)
    expect(failures(sampling().counter(), 300).indexOf(true)).toBe(299)
  })

  test('judges nothing below the minimum rate', () => {
    expect(failures(small.counter(), 10)).toEqual([...Array(9).fill(false), true])
  })

  test('opens over the share, not at it', () => {
    const counter = small.counter()
    for (let count = 0; count < 20; count++) counter.success()
    expect(failures(counter, 21)).toEqual([...Array(20).fill(false), true])
  })

  test('forgets outcomes as attempts go on', () => {
    const counter = small.counter()
    failures(counter, 9)
    for (let second = 0; second < 20; second++) {
      nowMs += 1_000
      counter.success()
    }
    expect(failures(counter, 9)).toEqual(Array(9).fill(false))
  })

  test('opens again on a failed probe, and starts afresh on a good one', () => {
    const counter = small.counter()
    failures(counter, 10)
    nowMs += 60_000
    expect(counter.failure()).toBe(true)
    nowMs += 60_000
    counter.success()
    expect(failures(counter, 9)).toEqual([...Array(8).fill(false), true])
  })

  test.each([
    [{ threshold: 0 }, 'sampling: threshold is 0; give a share above 0 and below 1'],
    [{ threshold: 1 }, 'sampling: threshold is 1; give a share above 0 and below 1'],
    [{ threshold: Number.NaN }, 'sampling: threshold is NaN; give a share above 0 and below 1'],
    [{ durationMs: 4 }, 'sampling: durationMs is 4; give milliseconds, 5 to 86400000'],
    [{ durationMs: 86_400_001 }, 'sampling: durationMs is 86400001; give milliseconds, 5 to 86400000'],
    [{ durationMs: Number.NaN }, 'sampling: durationMs is NaN; give milliseconds, 5 to 86400000'],
    [{ minimumRps: 0 }, 'sampling: minimumRps is 0; give attempts per second, more than 0'],
    [{ minimumRps: Number.NaN }, 'sampling: minimumRps is NaN; give attempts per second, more than 0'],
    [{ coolMs: 0 }, 'sampling: coolMs is 0; give milliseconds, more than 0'],
    [0, 'sampling: 0 is no option; give threshold, durationMs, minimumRps or coolMs'],
    [null, 'sampling: null is no option; give threshold, durationMs, minimumRps or coolMs'],
    ['fast', 'sampling: fast is no option; give threshold, durationMs, minimumRps or coolMs'],
    [{ duration: 5 }, 'sampling: duration is no option; give threshold, durationMs, minimumRps or coolMs'],
  ])('refuses %o', (options, message) => {
    expect(() => sampling(options as never)).toThrow(new TypeError(message))
  })
})
