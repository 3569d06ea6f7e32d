import { heed } from 'heed'
import { fakeClock } from 'heed/testing'
import { expect, test } from 'vitest'

test('the hint of an ambiguous failure that may be repeated holds for every call', async () => {
  const clock = fakeClock()
  const at: number[] = []
  const guard = heed({
    candidates: [{ id: 'a', provider: 'p' }],
    clock,
    random: () => 0,
    idempotent: true,
    producer: { classify: () => ({ class: undefined, ambiguous: true, retryAfterSecs: 30 }) },
  })
  const ask = (): void => {
    at.push(clock.now())
    if (at.length === 1) throw new Error('cut off')
  }
  const first = guard.execute(ask)
  await clock.advance(10)
  await clock.run(Promise.all([first, guard.execute(ask)]))
  expect(at[0]).toBe(0)
  expect(Math.min(...at.slice(1))).toBe(30_000)
})
