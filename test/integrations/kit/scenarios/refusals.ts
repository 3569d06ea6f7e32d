import { surface } from 'heed/strategies/auth/surface'
import { both, type Scenario } from '../scenario.ts'
import { answer, answerWithErrorBody, refuse } from '../steps.ts'

const served = answer('from a')

/** What each class of refusal asks for. A refusal comes before the first byte of an answer, so streams fare the same. */
export const refusalScenarios: readonly Scenario[] = [
  ...both('served at once', { a: () => [served], ends: { requests: [1, 0], text: 'from a' } }),
  ...both('transient with a hint is waited for', {
    a: ({ refusals }) => [refuse(refusals.transientWithHint), served],
    ends: { requests: [2, 0], text: 'from a', waitedMs: [0, 2_000] },
  }),
  ...both('transient without a hint is tried again', {
    a: ({ refusals }) => [refuse(refusals.transient), served],
    options: { backoff: () => 700 },
    ends: { requests: [2, 0], text: 'from a', waitedMs: [0, 700] },
  }),
  ...both('transient until attempts are spent goes to the next', {
    a: ({ refusals }) => [refuse(refusals.transient)],
    ends: { requests: [3, 1], text: 'from b' },
  }),
  ...both('transient everywhere surfaces as transient', {
    a: ({ refusals }) => [refuse(refusals.transient)],
    b: ({ refusals }) => [refuse(refusals.transient)],
    ends: { requests: [3, 3], text: '', surface: { reason: 'attempts_spent', class: 'transient' } },
  }),
  ...both('permanent goes to the next at once', {
    a: ({ refusals }) => [refuse(refusals.permanent)],
    ends: { requests: [1, 1], text: 'from b', waitedMs: [0, 0] },
  }),
  ...both('a spent quota is permanent', {
    a: ({ refusals }) => [refuse(refusals.quotaExhausted)],
    ends: { requests: [1, 1], text: 'from b', waitedMs: [0, 0] },
  }),
  ...both('permanent everywhere surfaces as permanent', {
    a: ({ refusals }) => [refuse(refusals.permanent)],
    b: ({ refusals }) => [refuse(refusals.quotaExhausted)],
    ends: { requests: [1, 1], text: '', surface: { reason: 'all_permanent', class: 'permanent' } },
  }),
  ...both('a refused credential surfaces where nobody is to be asked', {
    a: ({ refusals }) => [refuse(refusals.authRequired)],
    options: { auth: surface },
    ends: { requests: [1, 0], text: '', surface: { reason: 'auth_required', class: 'auth_required' } },
  }),
  ...both('an overflow goes to the larger window', {
    a: ({ refusals }) => [refuse(refusals.contextOverflow)],
    windows: [128_000, 1_000_000],
    ends: { requests: [1, 1], text: 'from b' },
  }),
  ...both('an overflow goes to no window of the same size', {
    a: ({ refusals }) => [refuse(refusals.contextOverflow)],
    windows: [128_000, 128_000],
    ends: { requests: [1, 0], text: '', surface: { reason: 'context_overflow', class: 'context_overflow' } },
  }),
  {
    name: 'a 200 with an error body is a failure',
    asks: 'unary',
    a: ({ refusals }) => [answerWithErrorBody(refusals.transient.body), served],
    ends: { requests: [2, 0], text: 'from a' },
  },
  {
    name: 'a 200 with a permanent error body goes to the next',
    asks: 'unary',
    a: ({ refusals }) => [answerWithErrorBody(refusals.quotaExhausted.body)],
    ends: { requests: [1, 1], text: 'from b' },
  },
]
