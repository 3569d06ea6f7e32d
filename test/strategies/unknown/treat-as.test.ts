import * as fc from 'fast-check'
import { treatAs } from 'heed/strategies/unknown/treat-as'
import { describe, expect, test } from 'vitest'
import { type Classification, ERROR_CLASS_WIRE_SET } from '../../../src/core/classification.ts'
import { unknownConformance } from '../../../src/testing/conformance/unknown.ts'

describe.each(ERROR_CLASS_WIRE_SET)('treatAs(%s)', (errorClass) => {
  for (const { name, run } of unknownConformance(treatAs(errorClass))) test(name, run)
})

describe('treatAs', () => {
  for (const { name, run } of unknownConformance(treatAs('transient', { retryAfterSecs: 5 }))) test(name, run)

  test('changes the class and no other field', () => {
    const classification = fc.record(
      {
        class: fc.option(fc.string(), { nil: undefined }),
        retryAfterSecs: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
        ambiguous: fc.boolean(),
        scope: fc.constant('provider' as const),
        exhausted: fc.boolean(),
        detail: fc.anything(),
      },
      { requiredKeys: ['class'] },
    )
    fc.assert(
      fc.property(classification, fc.constantFrom(...ERROR_CLASS_WIRE_SET), (given, errorClass) => {
        const frozen: Classification = Object.freeze(given)
        expect(treatAs(errorClass)(null, frozen)).toEqual({ ...given, class: errorClass })
      }),
    )
  })

  test.each([
    [{ class: undefined }, 5],
    [{ class: undefined, retryAfterSecs: 7 }, 7],
    [{ class: undefined, retryAfterSecs: 0 }, 0],
    [{ class: 'quota_window', retryAfterSecs: 2 }, 2],
  ])('hint of its own only where none was produced: %o gives %d s', (classification, secs) => {
    expect(treatAs('transient', { retryAfterSecs: 5 })(undefined, classification)?.retryAfterSecs).toBe(secs)
  })

  test.each([
    ['retry', {}, 'treatAs: errorClass is retry; give one of transient, permanent, auth_required, context_overflow'],
    [
      'toString',
      {},
      'treatAs: errorClass is toString; give one of transient, permanent, auth_required, context_overflow',
    ],
    [
      undefined,
      {},
      'treatAs: errorClass is undefined; give one of transient, permanent, auth_required, context_overflow',
    ],
    ['transient', { retryAfterSecs: -1 }, 'treatAs: retryAfterSecs is -1; give seconds, 0 or more'],
    ['transient', { retryAfterSecs: Number.NaN }, 'treatAs: retryAfterSecs is NaN; give seconds, 0 or more'],
    ['transient', 5, 'treatAs: 5 is no option; give retryAfterSecs'],
    ['transient', null, 'treatAs: null is no option; give retryAfterSecs'],
    ['transient', { retryAfterMs: 5 }, 'treatAs: retryAfterMs is no option; give retryAfterSecs'],
  ])('refuses %s, %o', (errorClass, options, message) => {
    expect(() => treatAs(errorClass as never, options as never)).toThrow(new TypeError(message))
  })
})
