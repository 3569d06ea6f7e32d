import { passThrough } from 'heed/strategies/unknown/pass-through'
import { describe, expect, test } from 'vitest'
import { unknownConformance } from '../../../src/testing/conformance/unknown.ts'

describe('passThrough', () => {
  for (const { name, run } of unknownConformance(passThrough)) test(name, run)

  test.each([{ class: undefined }, { class: 'quota_window', retryAfterSecs: 3 }])(
    'maps nothing: %o',
    (classification) => {
      expect(passThrough(new Error('boom'), classification)).toBeUndefined()
    },
  )
})
