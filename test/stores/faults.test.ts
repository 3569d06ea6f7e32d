import { createHealth } from 'heed'
import { NO_SHARE } from 'heed/stores/mirrored'
import { producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, fleet } from './fleet.ts'

const later = (retryAfterSecs: number): { error: Error } => ({ error: producedError('transient', { retryAfterSecs }) })
const once = { perTarget: 1 }

describe('a store that fails', () => {
  test('is one event however long it lasts, costs no call anything, and heals by itself', async () => {
    const { clock, join, store } = fleet({ candidates: [A, B], attempts: once })
    const [one, other] = [join(), join()]
    const { call } = scriptedProducer({ a: [later(600)], b: [later(600), { value: 'b' }] }, { clock })
    store.disconnect()
    const startMs = clock.now()
    await clock.run(one.guard.settle(call))
    await clock.run(one.guard.settle(call))
    expect(clock.now()).toBe(startMs)
    await clock.advance(60_000)
    expect(one.of('store_fault')).toMatchObject([{ fault: 'lost' }])
    expect(other.guard.health.snapshot().cooling).toEqual([])
    store.reconnect()
    await clock.advance(1_000)
    expect(one.of('store_healed')).toMatchObject([{ afterMs: 60_000 }])
    expect(one.of('store_fault')).toHaveLength(1)
    expect(other.guard.health.snapshot().cooling).toMatchObject([
      { candidate: 'a', remainingMs: 539_000 },
      { candidate: 'b', remainingMs: 539_000 },
    ])
  })

  test('that rejects changes is one event, and is told them once it takes them', async () => {
    let full = false
    const { clock, join, store } = fleet({ candidates: [A, B], attempts: once })
    const { publish } = store
    store.publish = (writes) => (full ? Promise.reject(new Error('OOM')) : publish(writes))
    const [one, other] = [join(), join()]
    const { call } = scriptedProducer({ a: [later(600)], b: [{ value: 'b' }] }, { clock })
    full = true
    expect(await clock.run(one.guard.execute(call))).toBe('b')
    await clock.advance(10_000)
    expect(one.of('store_fault')).toMatchObject([{ fault: 'rejected' }])
    full = false
    await clock.advance(30_000)
    expect(one.of('store_healed')).toHaveLength(1)
    expect(one.of('store_fault')).toHaveLength(1)
    expect(other.guard.health.snapshot().cooling).toMatchObject([{ candidate: 'a', remainingMs: 560_000 }])
  })

  test('that does not answer is one event, and is heard again when it does', async () => {
    let silent = false
    const { clock, join } = fleet({ candidates: [A, B], attempts: once }, { travel: (arrive) => !silent && arrive() })
    const [one, other] = [join(), join()]
    const { call } = scriptedProducer({ a: [later(600)], b: [{ value: 'b' }] }, { clock })
    silent = true
    expect(await clock.run(one.guard.execute(call))).toBe('b')
    await clock.advance(2_000)
    expect(one.of('store_fault')).toMatchObject([{ fault: 'timed_out' }])
    silent = false
    await clock.advance(60_000)
    expect(one.of('store_healed')).toHaveLength(1)
    expect(other.guard.health.snapshot().cooling).toMatchObject([{ candidate: 'a', remainingMs: 538_000 }])
  })

  test('that comes back empty is filled again by those who know', async () => {
    const { clock, join, store } = fleet({ candidates: [A, B], attempts: once })
    const one = join()
    const { call } = scriptedProducer({ a: [later(600)], b: [{ error: producedError('auth_required') }] }, { clock })
    void one.guard.settle(call)
    await clock.advance(10_000)
    one.guard.auth.resolve('b')
    store.disconnect()
    store.clear()
    await clock.advance(10_000)
    store.reconnect()
    await clock.advance(1_000)
    const late = join()
    await late.guard.health.ready()
    expect(late.guard.health.snapshot()).toMatchObject({
      cooling: [{ candidate: 'a', remainingMs: 579_000 }],
      providers: [
        { provider: 'q', blocked: true },
        { provider: 'b', generation: 1 },
      ],
    })
  })

  test('and came back without what one process revived is not told it again by another', async () => {
    const { clock, join, store } = fleet({ candidates: [A, B], attempts: once })
    const [one, other] = [join(), join()]
    const { call } = scriptedProducer({ a: [later(600)], b: [{ value: 'b' }] }, { clock })
    await clock.run(one.guard.execute(call))
    const backup = store.entries()
    other.guard.health.revive('a')
    await clock.advance(0)
    store.disconnect()
    store.clear()
    store.reconnect()
    await store.publish(backup)
    store.disconnect()
    store.reconnect()
    await clock.advance(1_000)
    const late = join()
    await late.guard.health.ready()
    expect(late.guard.health.snapshot().cooling).toEqual([])
  })

  test('tells nonsense to nobody', async () => {
    const { clock, join, store } = fleet()
    const one = join()
    const sound = { ...NO_SHARE, group: 'h:a', marks: { 'k:': { untilMs: 2e12, setMs: 1e12 } } }
    const odd = [
      null,
      7,
      'x',
      {},
      { group: 'h:a' },
      { ...sound, generation: 0.5 },
      { ...sound, generation: 2 ** 53 - 1 },
    ]
    const odder = [
      { ...sound, group: 'z:a' },
      { ...sound, sinceMs: 'now' },
      { ...sound, lastMs: null },
      { ...sound, marks: null },
      { ...sound, marks: { 'k:': 5 } },
      { ...sound, marks: { 'k:': { untilMs: 'soon', setMs: 1 } } },
    ]
    const { atMs } = await store.read()
    store.read = () => Promise.resolve({ atMs, entries: [...odd, ...odder] as never })
    store.disconnect()
    store.reconnect()
    await clock.advance(0)
    expect(one.guard.health.snapshot()).toMatchObject({ cooling: [], providers: [] })
    expect(one.of('store_healed')).toHaveLength(1)
  })
})

describe('closing', () => {
  test('leaves no timer and tells nothing any more; calls go on', async () => {
    const { clock, join, store } = fleet({ candidates: [A, B], attempts: once })
    const [one, other] = [join(), join()]
    await clock.advance(0)
    expect(clock.pendingTimers).toBe(2)
    await one.guard.health.close()
    await one.guard.health.close()
    expect(clock.pendingTimers).toBe(1)
    const { call } = scriptedProducer({ a: [later(60)], b: [{ value: 'b' }] }, { clock })
    expect(await clock.run(one.guard.execute(call))).toBe('b')
    store.disconnect()
    await clock.advance(0)
    expect(one.of('store_fault')).toEqual([])
    await other.guard.health.close()
    expect(clock.pendingTimers).toBe(0)
  })

  test('does nothing where no store is shared, and ready is at once', async () => {
    const health = createHealth()
    await health.ready()
    await health.close()
    expect(() => createHealth({ store: {} as never })).toThrow('createHealth: store: give a store')
  })
})

test('what is told holds ids, and no text of a producer or of a human', async () => {
  const { clock, join, store } = fleet({ candidates: [{ id: 'a', provider: 'p', credentials: ['key-1'] }] })
  const one = join()
  const secret = 'sk-secret of the producer'
  const { call } = scriptedProducer(
    { a: [{ error: Object.assign(producedError('auth_required'), { message: secret, detail: secret }) }] },
    { clock },
  )
  void one.guard.settle(call, { input: secret })
  await clock.advance(0)
  one.guard.auth.decline('p', secret)
  await clock.advance(0)
  const kept = JSON.stringify(store.entries())
  expect(kept).toContain('key-1')
  expect(kept).not.toContain(secret)
})
