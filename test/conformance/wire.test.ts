import { ERROR_CLASS_WIRE_SET } from 'heed'
import { type WireConformanceOptions, type WireSample, wireConformance } from 'heed/conformance'
import { describe, expect, test } from 'vitest'
import { failingCases } from '../strategies/conformance/failing-cases.ts'

const SET = 'pins the four wire strings, no more and no fewer'
const WRITES = 'writes no class outside the set'
const STATES = 'states the class that each sample has'
const SPELLS = 'spells the fields as the contract does'
const SECONDS = 'gives retry_after_secs in seconds, beside the class'
const JSON_ = 'keeps both fields through JSON'
const QUOTA = 'maps each kind of quota as the contract does'
const ALIAS = 'reads auth as auth_required'
const OPEN = 'reads a class outside the set as it came'

const SAMPLES: readonly WireSample[] = [
  { name: 'busy', class: 'transient', retryAfterSecs: 2.5, emitted: { class: 'transient', retry_after_secs: 3 } },
  { name: 'no model', class: 'permanent', emitted: '{"error":{"class":"permanent","message":"x"}}' },
  { name: 'no login', class: 'auth_required', emitted: { result: { error: { detail: { class: 'auth_required' } } } } },
  {
    name: 'too long',
    class: 'context_overflow',
    emitted: Object.assign(new Error('x'), { class: 'context_overflow' }),
  },
]

const QUOTAS = {
  billing: { emitted: { class: 'permanent' } },
  window: { emitted: { class: 'transient', retry_after_secs: 18_000 }, retryAfterSecs: 18_000 },
  unclear: { emitted: { class: 'transient' } },
}

const sound: WireConformanceOptions = { wireSet: ERROR_CLASS_WIRE_SET, samples: SAMPLES, quota: QUOTAS }

const failing = (changes: Partial<WireConformanceOptions>): readonly string[] =>
  failingCases(wireConformance({ ...sound, ...changes }))

const emitting = (emitted: unknown, more: Partial<WireSample> = {}): Partial<WireConformanceOptions> => ({
  samples: [...SAMPLES, { name: 'mine', class: 'transient', emitted, ...more }],
})

test('a sound producer passes, whatever the order of its set', () => {
  expect(failing({ wireSet: [...ERROR_CLASS_WIRE_SET].reverse() })).toEqual([])
  expect(failing({ quota: false })).toEqual([])
  expect(wireConformance(sound).map(({ name }) => name)).toContain(QUOTA)
  expect(wireConformance({ ...sound, quota: false }).map(({ name }) => name)).not.toContain(QUOTA)
})

describe('a producer is caught that', () => {
  const hidden = Object.defineProperty(new Error('x'), 'class', { value: 'transient' })
  const hint = { retryAfterSecs: 7 }
  const wire = { class: 'transient' }
  const broken: readonly (readonly [string, Partial<WireConformanceOptions>, readonly string[]])[] = [
    ['has a fifth class', { wireSet: [...ERROR_CLASS_WIRE_SET, 'quota_window'] }, [SET]],
    ['lacks one', { wireSet: ERROR_CLASS_WIRE_SET.slice(1) }, [SET]],
    ['has one twice', { wireSet: [...ERROR_CLASS_WIRE_SET, 'transient'] }, [SET]],
    ['spells the set in camel case', { wireSet: ['transient', 'permanent', 'authRequired', 'contextOverflow'] }, [SET]],
    ['writes the old spelling', emitting({ class: 'auth' }, { class: 'auth_required' }), [WRITES, STATES]],
    ['writes camel case', emitting({ class: 'contextOverflow' }, { class: 'context_overflow' }), [WRITES, STATES]],
    ['writes a class of its own', emitting({ class: 'rate_limited' }), [WRITES, STATES]],
    ['states another class', emitting({ class: 'permanent' }), [STATES]],
    ['states none', emitting({ code: 503 }), [WRITES, STATES, SPELLS, SECONDS, JSON_, OPEN]],
    [
      'states it where nobody looks',
      emitting({ meta: { class: 'transient' } }),
      [WRITES, STATES, SPELLS, SECONDS, JSON_, OPEN],
    ],
    ['names the hint in camel case', emitting({ class: 'transient', retryAfterSecs: 7 }, hint), [SPELLS, SECONDS]],
    ['names the hint otherwise', emitting({ class: 'transient', 'retry-after': 7 }, hint), [SPELLS, SECONDS]],
    ['states milliseconds', emitting({ class: 'transient', retry_after_secs: 7_000 }, hint), [SECONDS]],
    ['states a text', emitting({ class: 'transient', retry_after_secs: '7' }, hint), [SECONDS]],
    ['states less than it was told', emitting({ class: 'transient', retry_after_secs: 6.9 }, hint), [SECONDS]],
    ['states more than it was told', emitting({ class: 'transient', retry_after_secs: 8 }, hint), [SECONDS]],
    ['states a negative wait', emitting({ class: 'transient', retry_after_secs: -1 }, hint), [SECONDS]],
    [
      'states an endless wait',
      emitting({ class: 'transient', retry_after_secs: Number.POSITIVE_INFINITY }, hint),
      [SECONDS, JSON_],
    ],
    ['invents a wait', emitting({ class: 'transient', retry_after_secs: 30 }), [SECONDS]],
    ['forgets the wait', emitting({ class: 'transient' }, hint), [SECONDS]],
    ['states the wait elsewhere', emitting({ retry_after_secs: 7, detail: { class: 'transient' } }, hint), [SECONDS]],
    ['loses the class in JSON', emitting(hidden), [JSON_, OPEN]],
    ['states it in a cause, which JSON drops', emitting(new Error('x', { cause: wire })), [JSON_, OPEN]],
    ['calls a bill transient', { quota: { ...QUOTAS, billing: { emitted: { class: 'transient' } } } }, [QUOTA]],
    ['calls a window permanent', { quota: { ...QUOTAS, window: { emitted: { class: 'permanent' } } } }, [QUOTA]],
    [
      'calls what is unclear permanent',
      { quota: { ...QUOTAS, unclear: { emitted: { class: 'permanent' } } } },
      [QUOTA],
    ],
    [
      'drops the wait of a window',
      { quota: { ...QUOTAS, window: { emitted: { class: 'transient' }, retryAfterSecs: 9 } } },
      [SECONDS],
    ],
    ['reads a closed set', { readClass: closed }, [ALIAS, OPEN]],
    ['throws for what it does not know', { readClass: strict }, [OPEN]],
  ]

  test.each(broken)('%s', (_fault, changes, caught) => {
    expect(failing(changes)).toEqual(caught)
  })
})

/** Knows its own enum only. */
function closed(wire: unknown): string {
  const found = /"class":"(\w+)"/.exec(JSON.stringify(wire))?.[1] ?? ''
  return (ERROR_CLASS_WIRE_SET as readonly string[]).includes(found) ? found : 'unknown'
}

function strict(wire: unknown): string {
  const found = closed(JSON.parse(JSON.stringify(wire).replace('"auth"', '"auth_required"')))
  if (found === 'unknown') throw new Error('no such class')
  return found
}

test('the old spelling is tried even where no sample asks for a login', () => {
  const samples = SAMPLES.filter((sample) => sample.class !== 'auth_required')
  expect(failing({ samples })).toEqual([])
  expect(failing({ samples, readClass: (wire) => (wire as { class?: unknown }).class })).toContain(ALIAS)
})

test.each([
  [
    emitting({ class: 'auth' }, { class: 'auth_required' }),
    WRITES,
    'mine: class is auth (auth is for reading old records only); write one of ["transient","permanent","auth_required","context_overflow"]',
  ],
  [
    emitting({ class: 'transient', retry_after_secs: 7_000 }, { retryAfterSecs: 7 }),
    SECONDS,
    'mine: retry_after_secs is 7000; these are milliseconds, give 7 s',
  ],
  [
    emitting({ class: 'transient', retryAfterMs: 7 }),
    SPELLS,
    'mine: retryAfterMs stands beside the class; spell it retry_after_secs',
  ],
  [emitting({}), STATES, 'mine: no class in {}; write it at the top, in error or in detail'],
])('says what was found and what to write: %#', (changes, name, message) => {
  const found = wireConformance({ ...sound, ...changes }).find((one) => one.name === name)
  expect(() => found?.run()).toThrow(new Error(message))
})

test('no sample is refused', () => {
  expect(() => wireConformance({ ...sound, samples: [] })).toThrow(TypeError)
})
