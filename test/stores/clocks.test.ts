import { createHealth, heed } from 'heed'
import { type FakeClock, fakeClock, memoryStore, producedError } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B } from './fleet.ts'

const later = (retryAfterSecs: number): Error => producedError('transient', { retryAfterSecs })

/** A store whose clock may be set, and whose news may be late, with workers whose clocks may drift. */
function setting() {
  const clock = fakeClock({ startMs: 1_000_000 })
  const at = { setByMs: 0, newsMs: 0, wayMs: 0, publications: 0 }
  const store = memoryStore({
    clock: { now: () => clock.now() + at.setByMs },
    travel: (arrive, what) => {
      if (what === 'write') at.publications += 1
      const ms = what === 'news' ? at.newsMs : at.wayMs
      if (ms === 0) arrive()
      else clock.setTimeout(arrive, ms)
    },
  })
  const join = (perMs = 1) => {
    const own: FakeClock = { ...clock, now: () => clock.now() * perMs }
    const health = createHealth({ store, clock: own, random: () => 0 })
    return {
      health,
      guard: heed({ candidates: [A, B], attempts: { perTarget: 1 }, random: () => 0, clock: own, health }),
    }
  }
  return { clock, at, join }
}

describe('a hint holds', () => {
  test.each([8_000, 20_000])('though news before it came %i ms late', async (lateMs) => {
    const { clock, at, join } = setting()
    const [one, other] = [join(), join()]
    await clock.advance(1_000)
    at.newsMs = lateMs
    other.health.revive('b')
    await clock.advance(lateMs + 1)
    at.newsMs = 0
    await clock.run(one.guard.settle(({ candidate }) => (candidate.id === 'a' ? Promise.reject(later(10)) : 'b')))
    await clock.advance(9_900)
    for (const { guard } of [one, other]) {
      expect(await clock.run(guard.execute(({ candidate }) => candidate.id))).toBe('b')
    }
  })

  test.each([1 - 2e-5, 1 + 5e-5])('and no longer, with clocks that drift apart by %f', async (perMs) => {
    const { clock, at, join } = setting()
    at.wayMs = at.newsMs = 0.1
    const [one, other] = [join(perMs), join()]
    await clock.advance(29_000)
    other.health.revive('b')
    await clock.advance(500)
    await clock.run(one.guard.settle(({ candidate }) => (candidate.id === 'a' ? Promise.reject(later(10)) : 'b')))
    await clock.advance(10_100)
    expect(await clock.run(one.guard.execute(({ candidate }) => candidate.id))).toBe('a')
  })
})

test.each([0, 0.5])("a store's clock that is set back makes nobody spin, with %f ms there", async (wayMs) => {
  const { clock, at, join } = setting()
  at.wayMs = at.newsMs = wayMs
  const members = [join(), join(), join()] as const
  await clock.advance(1_000)
  let answer: () => unknown = () => Promise.reject(later(1))
  const call = ({ candidate }: { candidate: { id: string } }): unknown => (candidate.id === 'b' ? 'b' : answer())
  await clock.run(members[0].guard.settle(call))
  await clock.advance(12_000)
  answer = () => 'a'
  await clock.run(members[0].guard.execute(call))
  await clock.advance(5)
  at.setByMs = -8_000
  for (const { health } of members) {
    health.revive('z')
    await clock.advance(5)
  }
  answer = () => Promise.reject(later(0.3))
  await clock.run(members[1].guard.settle(call))
  await clock.advance(320)
  const before = at.publications
  answer = () => new Promise(() => undefined)
  for (let beat = 0; beat < 60; beat += 1) {
    for (const { guard } of members) void guard.settle(call)
    await clock.advance(50)
  }
  expect(at.publications - before).toBeLessThan(100)
})
