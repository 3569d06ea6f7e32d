import fc from 'fast-check'
import { joined, NO_SHARE, type Share } from 'heed/stores/mirrored'

const soonMs = fc.integer({ min: 1, max: 100 })

const marks = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.record({ untilMs: fc.integer({ min: 1, max: 300 }), setMs: soonMs }, { noNullPrototype: true }),
  { maxKeys: 3, noNullPrototype: true },
)

/** As a process makes them: joined to nothing, so that what is ended is gone. */
const share = (generation: number, sinceMs: number, given: Share['marks']): Share =>
  joined(NO_SHARE, { generation, sinceMs, lastMs: sinceMs, marks: given })

/** What processes say of one thing, in few names and at few times: of a candidate, or of a provider with its generations. */
export const fewShares: fc.Arbitrary<readonly Share[]> = fc.oneof(
  fc.array(
    fc.tuple(fc.oneof(fc.constant(0), soonMs), marks).map(([sinceMs, given]) => share(0, sinceMs, given)),
    { minLength: 2, maxLength: 6 },
  ),
  fc.array(
    fc
      .tuple(fc.constantFrom(0, 1, 2, 3), soonMs, marks)
      .map(([generation, sinceMs, given]) => share(generation, generation === 0 ? 0 : sinceMs, given)),
    { minLength: 2, maxLength: 6 },
  ),
)
