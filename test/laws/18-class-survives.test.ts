import fc from 'fast-check'
import { type Candidate, type Classification, ERROR_CLASS_WIRE_SET, heed, isHeedError, readClassification } from 'heed'
import { fakeClock } from 'heed/testing'
import { expect } from 'vitest'
import { carry, journey, type Stated, stated, wrapped } from './class-carriers.ts'
import { duplicate, foreign } from './foreign-copy.ts'
import { scenario } from './support/arbitraries.ts'
import { drive } from './support/drive.ts'
import { law } from './support/law.ts'
import { entries } from './support/log.ts'

/** What a consumer must read, by the contract. */
function meant({ class: named, retry_after_secs: hint, exhausted }: Stated): Classification {
  return {
    class: named === 'auth' ? 'auth_required' : named,
    ...(typeof hint === 'number' && hint >= 0 ? { retryAfterSecs: hint } : {}),
    ...(exhausted === true ? { exhausted: true } : {}),
  }
}

law('18 Class survives: whatever carries the fields, in any realm and under any cause, they are read', {
  given: fc.record({ fields: stated, journey }),
  holds: async ({ fields, journey: way }, see) => {
    const carrier = carry(fields, way)
    // JSON has no NaN; a hint that is none is dropped either way.
    const expected = meant(fields)
    expect(readClassification(carrier)).toEqual(expected)
    expect(foreign.readClassification(carrier)).toEqual(expected)

    const clock = fakeClock()
    const guard = heed({ candidates: [{ id: 'one', provider: 'acme' }], clock, maxPauseMs: 1, attempts: { total: 1 } })
    const heard: unknown[] = []
    guard.health.on('failure', ({ class: told, retryAfterSecs, exhausted }) => {
      heard.push({ class: told, retryAfterSecs, exhausted })
    })
    const outcome = await clock.run(
      guard.settle(() => {
        throw carrier
      }),
    )
    expect(heard).toEqual([
      { class: expected.class, retryAfterSecs: expected.retryAfterSecs, exhausted: expected.exhausted },
    ])
    if (outcome.status !== 'completed' && !isHeedError(outcome.error)) expect(outcome.error).toBe(carrier)
    for (const part of [way.base, way.place, way.keeping]) see(part)
    if (way.causes === 10) see('10 causes')
  },
  mustSee: ['an error of another realm', 'a function', 'frozen', 'proxied', 'its result.error', '10 causes'],
})

law('18 Class survives: JSON and structured clones of errors and outcomes, other copies and a cause chain', {
  given: scenario,
  holds: async (given, see) => {
    const { log } = await drive(given)
    for (const { outcome, error } of entries(log, 'settled')) {
      const { status, class: surfaced, retry_after_secs: hint } = outcome as { status: string } & Partial<Stated>
      see(status)
      if (status === 'completed') {
        expect(structuredClone(outcome)).toEqual(outcome)
        continue
      }
      const said = readClassification(outcome)
      expect(said.class).toBe(surfaced)
      if (hint !== undefined) expect(said.retryAfterSecs).toBe(hint)
      for (const sent of [structuredClone(outcome), JSON.parse(JSON.stringify(outcome))]) {
        expect(sent).toMatchObject({
          status,
          attempts: JSON.parse(JSON.stringify((outcome as { attempts: unknown }).attempts)),
        })
        expect(readClassification(sent)).toEqual(said)
        expect(foreign.readClassification(sent)).toEqual(said)
      }
      if (!isHeedError(error)) continue
      see(`HeedError ${error.class}`)
      if (error.retry_after_secs !== undefined) see('a time to come back')
      // Made of several outcomes, so that an outer layer has a remedy to go by.
      if (error.exhausted) expect(ERROR_CLASS_WIRE_SET).toContain(error.class)
      const own = readClassification(error)
      expect(own).toEqual({
        class: error.class,
        ...(error.retry_after_secs === undefined ? {} : { retryAfterSecs: error.retry_after_secs }),
        ...(error.exhausted ? { exhausted: true } : {}),
      })
      for (const copy of [{ readClassification, isHeedError }, duplicate, foreign]) {
        expect(copy.isHeedError(error)).toBe(true)
        for (const sent of [
          error,
          error.toJSON(),
          structuredClone(error.toJSON()),
          JSON.parse(JSON.stringify(error)),
          wrapped(error, 10),
        ]) {
          expect(copy.readClassification(sent)).toEqual(own)
        }
      }
    }
  },
  mustSee: [
    ...['completed', 'failed', 'cancelled', 'suspended', 'a time to come back'],
    ...['transient', 'permanent', 'auth_required', 'context_overflow'].map((each) => `HeedError ${each}`),
  ],
})

law('18 Class survives: what a copy of the package gave up below, of this realm or another, is not multiplied', {
  given: fc.record({
    fields: stated,
    below: fc.constantFrom('duplicate' as const, 'foreign' as const),
    causes: fc.constantFrom(0, 1, 10),
  }),
  holds: async ({ fields, below, causes }, see) => {
    const clock = fakeClock()
    const candidates: readonly Candidate[] = [{ id: 'one', provider: 'acme' }]
    const copy = below === 'duplicate' ? duplicate : foreign
    const inner = copy.heed({ candidates, clock, maxPauseMs: 1 })
    const outer = heed({ candidates, clock, maxPauseMs: 1 })
    let requests = 0
    let gaveUp: unknown
    const failures: unknown[] = []
    outer.health.on('failure', ({ class: told, exhausted }) => failures.push({ class: told, exhausted }))
    const outcome = await clock.run(
      outer.settle(async () => {
        try {
          return await inner.execute(() => {
            requests += 1
            throw Object.assign(new Error('failed'), fields)
          })
        } catch (error) {
          gaveUp = error
          throw wrapped(error as object, causes)
        }
      }),
    )
    if (!isHeedError(gaveUp)) {
      see('passed through')
      return
    }
    see(`${below}: ${gaveUp.class}`)
    expect(gaveUp.exhausted).toBe(true)
    expect(failures).toEqual([{ class: gaveUp.class, exhausted: true }])
    expect(requests).toBe(gaveUp.attempts.length)
    expect(outcome).toMatchObject({ class: gaveUp.class, exhausted: true })
  },
  mustSee: ['duplicate', 'foreign'].flatMap((below) =>
    ['transient', 'permanent', 'auth_required', 'context_overflow'].map((each) => `${below}: ${each}`),
  ),
})
