import fc from 'fast-check'
import { isHeedError } from 'heed'
import { expect } from 'vitest'
import { scenarioOf, step, streamStep } from './support/arbitraries.ts'
import { drive } from './support/drive.ts'
import { law } from './support/law.ts'
import { type Entry, events } from './support/log.ts'
import type { Scenario, Step } from './support/scenario.ts'

/** What a consumer may be tempted to read. None of it is a field of the classification. */
const dress = fc.record(
  {
    status: fc.constantFrom(200, 400, 401, 403, 408, 429, 500, 503, 529),
    statusCode: fc.constantFrom(401, 429, 503),
    code: fc.constantFrom('insufficient_quota', 'context_length_exceeded', 'ECONNRESET', 'ETIMEDOUT', 20),
    message: fc.constantFrom('', 'rate limited, try again in 20 s', 'prompt is too long', 'invalid api key', 'aborted'),
    name: fc.constantFrom('AbortError', 'TimeoutError', 'HeedError', 'BrokenCircuitError', 'TypeError'),
    type: fc.constantFrom('overloaded_error', 'authentication_error', 'rate_limit_error'),
    detail: fc.constantFrom({ provider_code: 'insufficient_quota', status: 429 }, { kind: 'newer_writer' }, 'timeout'),
    headers: fc.constantFrom({ 'retry-after': '7' }, { 'x-should-retry': 'false' }),
    retryAfter: fc.constantFrom(7, '7'),
    retry_after_s: fc.constantFrom(7, 3_600),
    retry_after_ms: fc.constant(7_000),
    resets_at_ms: fc.constant(1_767_225_700_000),
    retryable: fc.boolean(),
    isRetryable: fc.boolean(),
    stack: fc.constant('at somewhere'),
  },
  { requiredKeys: [] },
)

/** Dresses the failures of a scenario, one set of clothes after another. */
function dressed(scenario: Scenario, clothes: readonly Readonly<Record<string, unknown>>[]): Scenario {
  let turn = 0
  const next = (): Readonly<Record<string, unknown>> => clothes[turn++ % clothes.length] ?? {}
  const change = (each: Step): Step => {
    if (each.does === 'fail') return { ...each, said: { ...each.said, dress: next() } }
    if (each.does === 'stream' && typeof each.ends === 'object')
      return { ...each, ends: { ...each.ends, dress: next() } }
    return each
  }
  return { ...scenario, calls: scenario.calls.map((call) => ({ ...call, steps: call.steps.map(change) })) }
}

/** What was decided and done, with calls named by the order in which they came. */
function decided(log: readonly Entry[]): readonly unknown[] {
  const ranks = new Map<string, number>()
  const rank = (callId: string): number => {
    if (!ranks.has(callId)) ranks.set(callId, ranks.size)
    return ranks.get(callId) ?? 0
  }
  return log.flatMap((entry): readonly unknown[] => {
    if (entry.type === 'event' && entry.name === 'decision') {
      return [['decides', rank(entry.event.callId), entry.at, entry.event.decision]]
    }
    if (entry.type === 'invoked') {
      const { candidate, credential, call, at, number, input } = entry
      return [['invokes', call, at, candidate, credential, number, input]]
    }
    if (entry.type === 'settled') {
      const { call, at, ok, value, error, outcome } = entry
      const { status, attempts, class: surfaced } = (outcome ?? {}) as Record<string, unknown>
      return [
        [
          'settles',
          call,
          at,
          ok,
          value,
          isHeedError(error) ? error.toJSON() : 'as it came',
          status,
          attempts,
          surfaced,
        ],
      ]
    }
    return entry.type === 'event' && entry.name !== 'malformed' ? [[entry.name, entry.at]] : []
  })
}

law('1 Produced: changing status, code, message or detail, leaving the classification, changes no decision', {
  given: fc.tuple(
    fc.boolean().chain((streamed) =>
      scenarioOf({
        steps: streamed
          ? fc.oneof(
              step.filter(({ does }) => does === 'fail'),
              streamStep,
            )
          : step,
        via: streamed ? 'stream' : 'settle',
        maxCalls: 3,
      }),
    ),
    fc.array(dress, { minLength: 1, maxLength: 4 }),
  ),
  holds: async ([scenario, clothes], see) => {
    const plain = await drive(scenario)
    const other = await drive(dressed(scenario, clothes))
    expect(decided(other.log)).toEqual(decided(plain.log))
    for (const { decision } of events(plain.log, 'decision')) see(decision.kind)
    for (const { reason } of events(plain.log, 'surface')) see(reason)
  },
  mustSee: [
    'retry',
    'advance',
    'pause',
    'reduce',
    'surface',
    'all_permanent',
    'unclassified',
    'unknown_class',
    'ambiguous',
  ],
})
