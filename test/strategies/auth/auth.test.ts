import { advanceThenPause } from 'heed/strategies/auth/advance-then-pause'
import { pause } from 'heed/strategies/auth/pause'
import { surface } from 'heed/strategies/auth/surface'
import { describe, expect, test } from 'vitest'
import { authConformance } from '../../../src/testing/conformance/auth.ts'

describe.each([
  ['pause', pause, 'pause', 'pause'],
  ['advanceThenPause', advanceThenPause, 'advance', 'pause'],
  ['surface', surface, 'surface', 'surface'],
] as const)('%s', (_name, auth, withOther, alone) => {
  for (const { name, run } of authConformance(auth)) test(name, run)

  test(`${withOther} beside another provider, ${alone} without`, () => {
    expect(auth({ provider: 'anthropic', otherProviderEligible: true })).toBe(withOther)
    expect(auth({ provider: 'anthropic', otherProviderEligible: false })).toBe(alone)
  })
})
