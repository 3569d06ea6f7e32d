import fc from 'fast-check'
import { producedError } from 'heed/testing'
import { expect } from 'vitest'
import { law } from '../../laws/support/law.ts'
import { A, fleet, type Member } from '../fleet.ts'

interface Step {
  readonly does: 'call' | 'resolve' | 'join' | 'renew'
  readonly who: number
  readonly thenMs: number
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('call', 'call', 'call', 'resolve', 'join', 'renew'),
  who: fc.nat(3),
  thenMs: fc.oneof(fc.nat(60), fc.nat(3_000)),
})

const scenario = fc.record({
  steps: fc.array(step, { minLength: 3, maxLength: 14 }),
  skewsMs: fc.array(fc.integer({ min: -300_000, max: 300_000 }), { minLength: 4, maxLength: 4 }),
  waysMs: fc.infiniteStream(fc.nat(20)),
  credentials: fc.constantFrom(undefined, ['k1', 'k2']),
})

law('6 Auth, among processes: each generation is asked about once, and nobody waits for what was not asked', {
  given: scenario,
  mustSee: ['two generations', 'an open prompt', 'two processes that ask'],
  holds: async ({ steps, skewsMs, waysMs, credentials }, see) => {
    const candidate = credentials === undefined ? A : { ...A, credentials }
    const made = fleet(
      { candidates: [candidate] },
      {
        travel: (arrive) => {
          const ms = waysMs.next().value ?? 0
          if (ms === 0) arrive()
          else made.clock.setTimeout(arrive, ms)
        },
      },
    )
    const { clock, join } = made
    const members: Member[] = [join({}, skewsMs[0]), join({}, skewsMs[1])]
    const of = (who: number): Member => members[who % members.length] as Member
    const calls: Promise<unknown>[] = []
    let isValid = false
    await clock.advance(1_000)
    for (const { does, who, thenMs } of steps) {
      // A human answers what is open, and once.
      const { auth } = of(who).guard
      if (does === 'resolve') {
        if (auth.pending().length > 0) auth.resolve('p')
      } else if (does === 'renew') isValid = !isValid
      else if (does === 'join') members.push(join({}, skewsMs[members.length % skewsMs.length]))
      else {
        const ask = () => (isValid ? 'served' : Promise.reject(producedError('auth_required')))
        calls.push(of(who).guard.settle(ask))
      }
      await clock.advance(does === 'resolve' ? Math.max(thenMs, 60) : thenMs)
    }
    await clock.advance(5_000)
    const asked = members.flatMap((member) => member.of('auth_prompt').map(({ generation }) => generation))
    expect(asked).toEqual([...new Set(asked)])
    if (asked.length > 1) see('two generations')
    if (members.filter((member) => member.of('auth_prompt').length > 0).length > 1) see('two processes that ask')
    const open = members.flatMap(({ guard }) => guard.auth.pending())
    if (open.length > 0) see('an open prompt')
    for (const { generation } of open) expect(asked).toContain(generation)
    isValid = true
    of(0).guard.auth.resolve('p')
    await clock.run(Promise.all(calls))
    await clock.run(Promise.all(members.map(({ guard }) => guard.health.close())))
  },
})
