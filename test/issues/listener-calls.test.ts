import { createHealth, heed } from 'heed'
import { fakeClock, producedError } from 'heed/testing'
import { expect, test } from 'vitest'

const one = [{ id: 'a', provider: 'p' }]

test('a call that a listener of `failure` makes waits as long as the call that failed was told', async () => {
  const clock = fakeClock()
  const guard = heed({ candidates: one, clock, random: () => 0 })
  const at: number[] = []
  const ask = (): void => {
    at.push(clock.now())
    if (at.length === 1) throw producedError('transient', { retryAfterSecs: 30 })
  }
  let another: Promise<void> | undefined
  guard.health.once('failure', () => {
    another = guard.execute(ask)
  })
  await clock.run(guard.execute(ask))
  await clock.run(another as Promise<void>)
  expect(at).toEqual([0, 30_000, 30_000])
})

test('a call that a listener of `failure` makes does not go to a provider that has refused', async () => {
  const clock = fakeClock()
  const guard = heed({ candidates: one, clock, maxPauseMs: 1_000 })
  let asked = 0
  const refuse = (): never => {
    asked += 1
    throw producedError('auth_required')
  }
  let another: Promise<unknown> | undefined
  guard.health.once('failure', () => {
    another = guard.settle(refuse)
  })
  await clock.run(guard.settle(refuse))
  await clock.run(another as Promise<unknown>)
  expect(asked).toBe(1)
})

test('what a listener of `failure` revives stays revived', async () => {
  const clock = fakeClock()
  const guard = heed({ candidates: one, clock, maxWaitMs: 0 })
  guard.health.once('failure', () => void guard.health.revive('a'))
  await guard.settle(() => Promise.reject(producedError('transient', { retryAfterSecs: 30 })))
  expect(guard.health.snapshot().cooling).toEqual([])
})

test('no prompt is told of that a listener of `failure` has answered, and no hint that it has ended', async () => {
  const told: string[] = []
  const listening = (clock: ReturnType<typeof fakeClock>) => {
    const health = createHealth({ clock })
    for (const name of ['auth_prompt', 'auth_resolved', 'cooling', 'recovered'] as const) {
      health.on(name, () => void told.push(name))
    }
    return health
  }
  const clock = fakeClock()
  const guard = heed({ candidates: one, clock, health: listening(clock), maxWaitMs: 0 })
  guard.health.once('failure', () => guard.auth.resolve('p'))
  expect(
    await clock.run(guard.execute(({ number }) => (number === 1 ? Promise.reject(producedError('auth_required')) : 1))),
  ).toBe(1)
  guard.health.once('failure', () => guard.health.revive('a'))
  await clock.run(guard.settle(() => Promise.reject(producedError('transient', { retryAfterSecs: 60 }))))
  expect(told).toEqual(['auth_resolved', 'recovered'])
})
