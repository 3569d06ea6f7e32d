import { heed } from 'heed'
import { fakeClock } from 'heed/testing'
import { describe, expect, test } from 'vitest'

type Fault = 'negative' | 'nan' | 'infinite' | 'not_a_number'
type Row = readonly [name: string, hint: unknown, reaches: number | undefined, fault: Fault | undefined]

const OWN_BACKOFF_MS = 250

const ROWS: readonly Row[] = [
  ['zero', 0, 0, undefined],
  ['negative zero', -0, 0, undefined],
  ['one', 1, 1, undefined],
  ['a fraction', 0.25, 0.25, undefined],
  ['a tiny fraction', 1e-9, 1e-9, undefined],
  ['the smallest number', Number.MIN_VALUE, Number.MIN_VALUE, undefined],
  ['a sum that rounds', 0.1 + 0.2, 0.1 + 0.2, undefined],
  ['an hour', 3_600, 3_600, undefined],
  ['the last second a timer takes', 2_147_483.647, 2_147_483.647, undefined],
  ['one more', 2_147_484, 2_147_484, undefined],
  ['a month', 2_592_000, 2_592_000, undefined],
  ['minus one', -1, undefined, 'negative'],
  ['a small negative', -1e-9, undefined, 'negative'],
  ['the smallest negative', -Number.MIN_VALUE, undefined, 'negative'],
  ['a large negative', -1e308, undefined, 'negative'],
  ['the lowest number', -Number.MAX_VALUE, undefined, 'negative'],
  ['NaN', Number.NaN, undefined, 'nan'],
  ['zero by zero', 0 / 0, undefined, 'nan'],
  ['Infinity', Number.POSITIVE_INFINITY, undefined, 'infinite'],
  ['minus Infinity', Number.NEGATIVE_INFINITY, undefined, 'infinite'],
  ['one by zero', 1 / 0, undefined, 'infinite'],
  ['digits', '5', undefined, 'not_a_number'],
  ['digits with a unit', '5s', undefined, 'not_a_number'],
  ['an empty string', '', undefined, 'not_a_number'],
  ['an HTTP date', 'Wed, 21 Oct 2026 07:28:00 GMT', undefined, 'not_a_number'],
  ['an ISO date', '2026-01-01T00:00:00Z', undefined, 'not_a_number'],
  ['a word', 'soon', undefined, 'not_a_number'],
  ['"NaN"', 'NaN', undefined, 'not_a_number'],
  ['"Infinity"', 'Infinity', undefined, 'not_a_number'],
  ['"-1"', '-1', undefined, 'not_a_number'],
  ['true', true, undefined, 'not_a_number'],
  ['false', false, undefined, 'not_a_number'],
  ['a Date', new Date(5_000), undefined, 'not_a_number'],
  ['an object', {}, undefined, 'not_a_number'],
  ['an object with a value', { valueOf: () => 5 }, undefined, 'not_a_number'],
  ['an object with seconds', { seconds: 5 }, undefined, 'not_a_number'],
  ['a list', [5], undefined, 'not_a_number'],
  ['an empty list', [], undefined, 'not_a_number'],
  ['a Number object', new Number(5), undefined, 'not_a_number'],
  ['a BigInt', 5n, undefined, 'not_a_number'],
  ['a symbol', Symbol('5'), undefined, 'not_a_number'],
  ['a function', () => 5, undefined, 'not_a_number'],
  ['a promise', Promise.resolve(5), undefined, 'not_a_number'],
  ['absent', undefined, undefined, undefined],
  ['null, which serializers write for absent', null, undefined, undefined],
]

/** What one transient failure with the hint comes to. */
async function heardOf(hint: unknown, from: 'wire' | 'producer') {
  const clock = fakeClock()
  const fields = from === 'wire' ? { class: 'transient', retry_after_secs: hint } : {}
  const guard = heed({
    candidates: [{ id: 'a', provider: 'p' }],
    producer:
      from === 'wire'
        ? { classify: () => undefined }
        : { classify: () => ({ class: 'transient', retryAfterSecs: hint as number }) },
    backoff: () => OWN_BACKOFF_MS,
    random: () => 0,
    maxWaitMs: Number.POSITIVE_INFINITY,
    clock,
  })
  const heard: { hint?: number; fault?: string; faults: number; delayMs?: number } = { faults: 0 }
  guard.health.on('failure', ({ retryAfterSecs }) => {
    if (retryAfterSecs !== undefined) heard.hint = retryAfterSecs
  })
  guard.health.on('malformed', ({ fault, source, field }) => {
    expect({ source, field }).toEqual({ source: from, field: from === 'wire' ? 'retry_after_secs' : 'retryAfterSecs' })
    heard.fault = fault
    heard.faults += 1
  })
  guard.health.on('retry', ({ delayMs }) => {
    heard.delayMs = delayMs
  })
  const times: number[] = []
  const value = await clock.run(
    guard.execute(() => {
      times.push(clock.now())
      if (times.length === 1) throw Object.assign(new Error('x'), fields)
      return 'served'
    }),
  )
  expect(value).toBe('served')
  return { ...heard, waitedMs: (times[1] ?? 0) - (times[0] ?? 0) }
}

describe.each(['wire', 'producer'] as const)('a hint from the %s', (from) => {
  test('the table holds at least 40 rows', () => expect(ROWS.length).toBeGreaterThanOrEqual(40))

  test.each(ROWS)('%s', async (_name, hint, reaches, fault) => {
    const heard = await heardOf(hint, from)
    expect(heard.hint === undefined ? undefined : heard.hint + 0).toBe(reaches)
    expect(heard.fault).toBe(fault)
    expect(heard.faults).toBe(fault === undefined ? 0 : 1)
    // Never below the hint, and a hint that was dropped never means "now".
    expect(heard.delayMs).toBe(Math.max(OWN_BACKOFF_MS, (reaches ?? 0) * 1_000))
    expect(heard.waitedMs).toBeGreaterThanOrEqual(Math.max(OWN_BACKOFF_MS, (reaches ?? 0) * 1_000))
  })
})

// The last one's milliseconds are more than a number holds.
describe.each([Number.MAX_SAFE_INTEGER, 1e300, 1e308])('a finite hint of %d seconds', (hint) => {
  const surfaced = async () => {
    const clock = fakeClock()
    const guard = heed({ candidates: [{ id: 'a', provider: 'p' }], backoff: () => OWN_BACKOFF_MS, clock })
    const failing = (): never => {
      throw Object.assign(new Error('x'), { class: 'transient', retry_after_secs: hint })
    }
    return { outcome: await clock.run(guard.settle(failing)), guard, clock }
  }

  test('surfaces with the hint, as any wait that does not fit', async () => {
    const { outcome, clock } = await surfaced()
    expect(outcome).toMatchObject({ status: 'failed', class: 'transient' })
    expect((outcome as { retry_after_secs?: number }).retry_after_secs).toBeGreaterThan(0.99 * Math.min(hint, 1e297))
    expect(clock.pendingTimers).toBe(0)
  })

  test('leaves a snapshot that survives JSON', async () => {
    const snapshot = (await surfaced()).guard.health.snapshot()
    expect(snapshot.cooling).toHaveLength(1)
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot)
  })
})
