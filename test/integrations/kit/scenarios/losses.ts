import { both, type Scenario } from '../scenario.ts'
import { textOf } from '../send.ts'
import { answer, cutMidway, resetBeforeHeaders, resetMidway, stallBeforeHeaders, stallMidway } from '../steps.ts'

const served = answer('from a')

/** The connection is lost, or says nothing more: nobody knows whether the request was executed. */
export const lossScenarios: readonly Scenario[] = [
  ...both('a reset before the headers is ambiguous', {
    a: () => [resetBeforeHeaders, served],
    ends: { requests: [1, 0], text: '', surface: { reason: 'ambiguous' } },
  }),
  ...both('a reset before the headers of an idempotent call is tried again', {
    a: () => [resetBeforeHeaders, served],
    options: { idempotent: true },
    ends: { requests: [2, 0], text: 'from a' },
  }),
  ...both('a reset before the first token is ambiguous', {
    a: () => [resetMidway({}), served],
    ends: { requests: [1, 0], text: '', surface: { reason: 'ambiguous' } },
  }),
  ...both('a reset before the first token of an idempotent call is tried again', {
    a: () => [resetMidway({}), served],
    options: { idempotent: true },
    ends: { requests: [2, 0], text: 'from a' },
  }),
  {
    name: 'a reset after the first token surfaces',
    asks: 'stream',
    a: ({ read }) => [resetMidway({ afterTokens: 1, when: read }), served],
    options: { idempotent: true },
    ends: { requests: [1, 0], text: textOf(1), surface: { reason: 'committed' } },
  },
  {
    name: 'a cut after 40 of 60 tokens surfaces',
    asks: 'stream',
    a: ({ read }) => [cutMidway({ afterTokens: 40, when: read }), served],
    options: { idempotent: true },
    ends: { requests: [1, 0], text: textOf(40), surface: { reason: 'committed' } },
  },
  {
    name: 'a cut in the middle of a whole answer is ambiguous',
    asks: 'unary',
    a: () => [cutMidway({}), served],
    ends: { requests: [1, 0], text: '', surface: { reason: 'ambiguous' } },
  },
  ...both('a stall before the headers is ambiguous', {
    a: () => [stallBeforeHeaders, served],
    options: { attemptTimeoutMs: 30_000 },
    passMs: 30_000,
    ends: { requests: [1, 0], text: '', surface: { reason: 'attempt_timeout' } },
  }),
  ...both('a stall before the headers of an idempotent call is tried again', {
    a: () => [stallBeforeHeaders, served],
    options: { attemptTimeoutMs: 30_000, idempotent: true },
    passMs: 30_000,
    ends: { requests: [2, 0], text: 'from a' },
  }),
  {
    name: 'a stall before the first token of an idempotent call is tried again',
    asks: 'stream',
    a: () => [stallMidway({}), served],
    options: { attemptTimeoutMs: 30_000, idempotent: true },
    passMs: 30_000,
    ends: { requests: [2, 0], text: 'from a' },
  },
  {
    name: 'a stall after the third token surfaces',
    asks: 'stream',
    a: () => [stallMidway({ afterTokens: 3 }), served],
    options: { idleTimeoutMs: 20_000, idempotent: true },
    passMs: 20_000,
    ends: { requests: [1, 0], text: textOf(3), surface: { reason: 'idle_timeout' } },
  },
]
