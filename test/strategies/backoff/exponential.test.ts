import { ExponentialBackoff, fullJitterGenerator } from 'cockatiel'
import * as fc from 'fast-check'
import { exponential } from 'heed/strategies/backoff/exponential'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { backoffConformance } from '../../../src/testing/conformance/backoff.ts'

const ALMOST_1 = 1 - Number.EPSILON / 2

afterEach(() => {
  vi.restoreAllMocks()
})

describe('exponential', () => {
  for (const { name, run } of backoffConformance(exponential())) test(name, run)

  describe('without any limit', () => {
    const unlimited = exponential({ baseMs: 1e300, maxMs: Number.POSITIVE_INFINITY, factor: 1e300 })
    for (const { name, run } of backoffConformance(unlimited)) test(name, run)
  })

  test.each([
    [{}, 1, 0.5, 250],
    [{}, 2, 0.5, 500],
    [{}, 6, 0.5, 8_000],
    [{}, 7, 0.5, 15_000],
    [{}, 10_000, 0.5, 15_000],
    [{}, 10_000, 0, 0],
    [{}, 10_000, ALMOST_1, 30_000 * ALMOST_1],
    [{ baseMs: 0 }, 10_000, 0.5, 0],
    [{ maxMs: 0 }, 3, 0.5, 0],
    [{ baseMs: 60_000 }, 1, 0.5, 15_000],
    [{ baseMs: 100, factor: 1 }, 10_000, 0.5, 50],
    [{ baseMs: 100, factor: 3 }, 3, 0.5, 450],
    [{ maxMs: Number.POSITIVE_INFINITY }, 10_000, 0.5, Number.MAX_SAFE_INTEGER / 2],
  ])('%o, repeat %d, random %d: %d ms', (options, repeat, random, delayMs) => {
    expect(exponential(options)({ repeat, random })).toBe(delayMs)
  })

  test('stays below a ceiling that never shrinks', () => {
    const options = fc.record({
      baseMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
      maxMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
      factor: fc.double({ min: 1, max: 10, noNaN: true }),
    })
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(options, fc.integer({ min: 1, max: 10_000 }), random, (given, repeat, random) => {
        const backoff = exponential(given)
        const delayMs = backoff({ repeat, random })
        expect(delayMs).toBeGreaterThanOrEqual(0)
        expect(delayMs).toBeLessThanOrEqual(given.maxMs)
        expect(backoff({ repeat: repeat + 1, random })).toBeGreaterThanOrEqual(delayMs)
      }),
    )
  })

  test("is cockatiel's full jitter, but for its rounding down", () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    const ms = fc.integer({ min: 1, max: 100_000 })
    fc.assert(
      fc.property(ms, ms, fc.integer({ min: 1, max: 60 }), random, (baseMs, maxMs, repeat, random) => {
        vi.spyOn(Math, 'random').mockReturnValue(random)
        const options = { generator: fullJitterGenerator, initialDelay: baseMs, maxDelay: maxMs }
        let theirs = new ExponentialBackoff(options).next()
        for (let link = 2; link <= repeat; link++) theirs = theirs.next(undefined)
        vi.restoreAllMocks()
        expect(Math.floor(exponential({ baseMs, maxMs })({ repeat, random }))).toBe(theirs.duration)
      }),
    )
  })

  test.each([
    [{ baseMs: Number.NaN }, 'exponential: baseMs is NaN; give milliseconds, 0 or more'],
    [{ baseMs: -1 }, 'exponential: baseMs is -1; give milliseconds, 0 or more'],
    [{ baseMs: Number.POSITIVE_INFINITY }, 'exponential: baseMs is Infinity; give milliseconds, 0 or more'],
    [{ baseMs: '500' }, 'exponential: baseMs is 500; give milliseconds, 0 or more'],
    [{ baseMs: null }, 'exponential: baseMs is null; give milliseconds, 0 or more'],
    [{ maxMs: Number.NaN }, 'exponential: maxMs is NaN; give milliseconds, 0 or more, or Infinity'],
    [{ maxMs: -1 }, 'exponential: maxMs is -1; give milliseconds, 0 or more, or Infinity'],
    [{ maxMs: '1' }, 'exponential: maxMs is 1; give milliseconds, 0 or more, or Infinity'],
    [{ factor: 0.5 }, 'exponential: factor is 0.5; give a number, 1 or more'],
    [{ factor: Number.NaN }, 'exponential: factor is NaN; give a number, 1 or more'],
    [{ factor: Number.POSITIVE_INFINITY }, 'exponential: factor is Infinity; give a number, 1 or more'],
    [0, 'exponential: 0 is no option; give baseMs, maxMs or factor'],
    [null, 'exponential: null is no option; give baseMs, maxMs or factor'],
    ['fast', 'exponential: fast is no option; give baseMs, maxMs or factor'],
    [{ base: 5 }, 'exponential: base is no option; give baseMs, maxMs or factor'],
  ])('refuses %o', (options, message) => {
    expect(() => exponential(options as never)).toThrow(new TypeError(message))
  })
})
