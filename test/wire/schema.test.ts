import fc from 'fast-check'
import { classificationSchema, readClassification } from 'heed'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'

const classes = fc.oneof(
  fc.constantFrom('transient', 'permanent', 'auth_required', 'auth', 'context_overflow', '', 'quota'),
  fc.string(),
)
const hints = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom<unknown>(0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, null, undefined, '5', true, 1e308, 5n),
  fc.anything(),
)
const stated = fc.oneof(
  { weight: 4, arbitrary: classes as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: fc.anything() },
)
const fields = fc.record(
  { class: stated, retry_after_secs: hints, message: fc.string(), status: fc.integer() },
  { requiredKeys: [] },
)

test("the reader and the exported schema read the same from one object's fields", () => {
  let readable = 0
  fc.assert(
    fc.property(fields, (value) => {
      const parsed = z.safeParse(classificationSchema, value)
      const read = readClassification(value)
      if (!parsed.success) {
        expect(read).toStrictEqual({ class: undefined })
        return
      }
      readable += 1
      const { class: schemaClass, retry_after_secs: hint } = parsed.data
      expect(read).toStrictEqual({ class: schemaClass, ...(hint === undefined ? {} : { retryAfterSecs: hint }) })
    }),
    { numRuns: 5_000 },
  )
  expect(readable).toBeGreaterThan(1_000)
})
