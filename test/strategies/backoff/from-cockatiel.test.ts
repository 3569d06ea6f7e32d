import {
  ConstantBackoff,
  DelegateBackoff,
  decorrelatedJitterGenerator,
  ExponentialBackoff,
  fullJitterGenerator,
  halfJitterGenerator,
  type IBackoffFactory,
  type IRetryBackoffContext,
  IterableBackoff,
  noJitterGenerator,
} from 'cockatiel'
import * as fc from 'fast-check'
import { type CockatielBackoffFactory, fromCockatiel } from 'heed/strategies/backoff/from-cockatiel'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { backoffConformance } from '../../../src/testing/conformance/backoff.ts'

const delays = (factory: CockatielBackoffFactory, count: number): readonly number[] => {
  const backoff = fromCockatiel(factory)
  return Array.from({ length: count }, (_, index) => backoff({ repeat: index + 1, random: 0.5 }))
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each<readonly [string, CockatielBackoffFactory]>([
  ['ExponentialBackoff (decorrelated jitter)', new ExponentialBackoff()],
  ['ExponentialBackoff, full jitter', new ExponentialBackoff({ generator: fullJitterGenerator })],
  ['ExponentialBackoff, half jitter', new ExponentialBackoff({ generator: halfJitterGenerator })],
  ['ExponentialBackoff, no jitter', new ExponentialBackoff({ generator: noJitterGenerator })],
  ['ExponentialBackoff, no limit', new ExponentialBackoff({ maxDelay: Number.POSITIVE_INFINITY })],
  ['ConstantBackoff', new ConstantBackoff(250)],
  ['IterableBackoff', new IterableBackoff([100, 200, 300])],
  ['DelegateBackoff', new DelegateBackoff<IRetryBackoffContext<unknown>>(({ attempt }) => attempt * 10)],
])('fromCockatiel: %s', (_name, factory) => {
  for (const { name, run } of backoffConformance(fromCockatiel(factory))) test(name, run)
})

describe('fromCockatiel', () => {
  test('walks to the link of the repeat', () => {
    expect(delays(new ConstantBackoff(250), 3)).toEqual([250, 250, 250])
    expect(delays(new IterableBackoff([100, 200, 300]), 5)).toEqual([100, 200, 300, 300, 300])
    expect(delays(new ExponentialBackoff({ generator: noJitterGenerator, maxDelay: 500 }), 4)).toEqual([
      128, 256, 500, 500,
    ])
  })

  test('gives a delegate its attempt, its own state, a live signal and no failure', () => {
    const seen: IRetryBackoffContext<unknown>[] = []
    const delegate = new DelegateBackoff<IRetryBackoffContext<unknown>, number>((context, state = 0) => {
      seen.push(context)
      return { delay: context.attempt * 10 + state, state: state + 1 }
    })
    const backoff = fromCockatiel(delegate)
    seen.length = 0
    expect(backoff({ repeat: 3, random: 0 })).toBe(32)
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(seen.every(({ signal }) => !signal.aborted)).toBe(true)
    expect(seen[0]?.result).toEqual({ error: new Error('heed tells a backoff nothing of the failure') })
  })

  test('walks 128 links at most', () => {
    const backoff = fromCockatiel(new DelegateBackoff<IRetryBackoffContext<unknown>>(({ attempt }) => attempt))
    expect(backoff({ repeat: 128, random: 0 })).toBe(128)
    expect(backoff({ repeat: 10_000, random: 0 })).toBe(128)
  })

  test("is cockatiel's jitter with the context's random number, and calls Math.random never", () => {
    const generator = fc.constantFrom(fullJitterGenerator, halfJitterGenerator, decorrelatedJitterGenerator)
    const options = fc.record({
      initialDelay: fc.integer({ min: 1, max: 10_000 }),
      maxDelay: fc.integer({ min: 1, max: 1_000_000 }),
      exponent: fc.double({ min: 1, max: 4, noNaN: true }),
    })
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(
        generator,
        options,
        fc.integer({ min: 1, max: 128 }),
        random,
        (generator, options, repeat, random) => {
          const factory = new ExponentialBackoff({ ...options, generator: generator as typeof fullJitterGenerator })
          const global = vi.spyOn(Math, 'random').mockReturnValue((random * 2 ** 16) % 1)
          const ours = fromCockatiel(factory)({ repeat, random })
          expect(global).not.toHaveBeenCalled()
          let link: IBackoffFactory<undefined> = factory
          for (let count = 1; count < repeat; count++) link = link.next(undefined)
          global.mockReturnValue(random)
          const theirs = link.next(undefined).duration
          vi.restoreAllMocks()
          expect(ours).toBe(theirs)
        },
      ),
    )
  })

  test('takes any object of the shape', () => {
    const link = { duration: 40, next: () => link }
    expect(delays({ next: () => link }, 2)).toEqual([40, 40])
    expect(delays({ next: () => ({ duration: Number.POSITIVE_INFINITY, next: () => link }) }, 2)).toEqual([
      Number.MAX_SAFE_INTEGER,
      40,
    ])
  })

  test.each([
    [undefined, 'fromCockatiel: factory has no next(); give a backoff such as new ExponentialBackoff()'],
    [ExponentialBackoff, 'fromCockatiel: factory has no next(); give a backoff such as new ExponentialBackoff()'],
    [new IterableBackoff([]), 'fromCockatiel: the duration of link 1 is undefined; give milliseconds, 0 or more'],
    [new ConstantBackoff(-1), 'fromCockatiel: the duration of link 1 is -1; give milliseconds, 0 or more'],
    [
      new ExponentialBackoff({ initialDelay: Number.NaN }),
      'fromCockatiel: the duration of link 1 is NaN; give milliseconds, 0 or more',
    ],
  ])('refuses %o', (factory, message) => {
    expect(() => fromCockatiel(factory as never)).toThrow(new TypeError(message))
  })

  test('says which later link is broken', () => {
    const backoff = fromCockatiel(new IterableBackoff([1, Number.NaN]))
    expect(() => backoff({ repeat: 2, random: 0 })).toThrow(
      new TypeError('fromCockatiel: the duration of link 2 is NaN; give milliseconds, 0 or more'),
    )
  })
})
