import { ERROR_CLASS_WIRE_SET, readClassification } from 'heed'
import { describe, expect, test } from 'vitest'
import { READING_CASES } from './hostile-values.ts'

describe('readClassification', () => {
  test("the wire set is the contract's, in its order", () => {
    expect(ERROR_CLASS_WIRE_SET).toEqual(['transient', 'permanent', 'auth_required', 'context_overflow'])
    expect(Object.isFrozen(ERROR_CLASS_WIRE_SET)).toBe(true)
  })

  test('the table holds at least 60 rows, none of them twice', () => {
    expect(READING_CASES.length).toBeGreaterThanOrEqual(60)
    expect(new Set(READING_CASES.map(({ name }) => name)).size).toBe(READING_CASES.length)
  })

  test.each(READING_CASES)('$name', ({ value, expected }) => {
    expect(readClassification(value())).toStrictEqual(expected)
  })

  test('changes nothing in what it reads, and reads each field once', () => {
    const reads: string[] = []
    const value = new Proxy(
      { class: 'transient', retry_after_secs: 4 },
      {
        get: (target, name) => {
          reads.push(String(name))
          return Reflect.get(target, name)
        },
        set: () => false,
        defineProperty: () => false,
        deleteProperty: () => false,
      },
    )
    expect(readClassification(value)).toStrictEqual({ class: 'transient', retryAfterSecs: 4 })
    expect(reads.length).toBe(new Set(reads).size)
  })
})
