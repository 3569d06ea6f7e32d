import { oddErrors } from '../testing/conformance/odd-errors.ts'

/** Values that are no failures, whatever the source. */
export const ordinaryValues: readonly unknown[] = [undefined, null, 0, '', 'text', [], {}, { id: 1, name: 'x' }]

/** What an adapter may be asked: odd errors, every status, and bodies and headers that nobody sends in good faith. */
export function oddFailures(): readonly (readonly [label: string, value: unknown])[] {
  return [
    ...oddErrors(),
    ...Array.from(
      { length: 500 },
      (_, at) => [`status ${at + 100}`, { status: at + 100, headers: {}, body: '' }] as const,
    ),
    ['a status that is none', { status: Number.NaN, headers: {}, body: {} }],
    ['headers that are none', { status: 429, headers: 'retry-after: 5', body: null }],
    ['odd headers', { status: 429, headers: { 'retry-after': Symbol('soon'), date: [] }, body: {} }],
    ...['-1', 'NaN', '1e999', 'Infinity', 'tomorrow', '', '99999999999999999999999'].map(
      (secs) => [`retry-after ${secs}`, { status: 429, headers: { 'retry-after': secs }, body: {} }] as const,
    ),
    ['a page', { status: 503, headers: {}, body: '<!doctype html><title>503</title>' }],
    ['a long body', { status: 500, headers: {}, body: `{"error":"${'x'.repeat(1_000_000)}` }],
    ['a deep body', { status: 500, headers: {}, body: nested(10_000) }],
    ['a deep text', { status: 500, headers: {}, body: '{"error":'.repeat(5_000) }],
    [
      'a wide body',
      { status: 500, headers: {}, body: Object.fromEntries(range(5_000).map((key) => [`k${key}`, key])) },
    ],
    ['a long list', { status: 500, headers: {}, body: range(100_000) }],
    [
      'a key that is no field',
      JSON.parse('{"__proto__":{"class":"transient"},"constructor":1,"error":{"__proto__":null}}'),
    ],
    ['fields of wrong types', { status: '429', code: {}, error: { code: [], type: 4, message: {} }, message: 0 }],
    ['a body that throws when read', Object.defineProperty({ status: 429 }, 'body', { get: trap, enumerable: true })],
  ]
}

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, at) => at)
}

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level += 1) value = { error: value }
  return value
}

function trap(): never {
  throw new Error('a getter threw')
}
