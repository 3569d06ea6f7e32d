import { describe, expect, test } from 'vitest'
import type { AuthStrategy } from '../../../src/core/strategy.ts'
import { authConformance } from '../../../src/testing/conformance/auth.ts'
import { failingCases } from './failing-cases.ts'

const KNOWN = "answers 'pause', 'advance' or 'surface'"
const ELIGIBLE = "answers 'advance' only when another provider is eligible"
const PURE = 'answers the same for the same context, in any order'

describe('authConformance', () => {
  let calls = 0
  const broken: readonly (readonly [string, AuthStrategy, readonly string[]])[] = [
    ['advances to nowhere', () => 'advance', [ELIGIBLE]],
    ['answers another word', () => 'wait' as never, [KNOWN]],
    ['answers nothing', () => undefined as never, [KNOWN]],
    ['answers a promise', (() => Promise.resolve('pause')) as never, [KNOWN, PURE]],
    ['keeps state', () => (calls++ % 3 === 0 ? 'pause' : 'surface'), [PURE]],
    [
      'throws for an unknown provider',
      ({ provider }) => throwUnless(provider === 'anthropic'),
      [KNOWN, ELIGIBLE, PURE],
    ],
  ]

  test.each(broken)('catches one that %s', (_fault, auth, caught) => {
    expect(failingCases(authConformance(auth))).toEqual(caught)
  })
})

function throwUnless(known: boolean): 'pause' {
  if (!known) throw new Error('no such provider is configured')
  return 'pause'
}
