import { createHealth, heed } from 'heed'
import { fakeClock, producedError, scriptedProducer } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, B, outcomeOf, scene } from './scene.ts'

describe('a heed in a heed', () => {
  test('three copies make three requests, not 27', async () => {
    const clock = fakeClock()
    const layer = () => heed({ candidates: [A], clock, random: () => 0, backoff: () => 10 })
    const [outer, middle, inner] = [layer(), layer(), layer()]
    let requests = 0
    const settled = await clock.run(
      outcomeOf(
        outer.execute(() =>
          middle.execute(() =>
            inner.execute(() => {
              requests += 1
              throw producedError('transient')
            }),
          ),
        ),
      ),
    )
    expect(requests).toBe(3)
    expect(settled).toMatchObject({ error: { class: 'transient', exhausted: true } })
  })

  test('what a lower layer gave up on, the outer gives to its next candidate', async () => {
    const clock = fakeClock()
    const inner = heed({ candidates: [A], clock, random: () => 0 })
    const outer = heed({ candidates: [A, B], clock, random: () => 0 })
    let requests = 0
    const value = await clock.run(
      outer.execute(({ candidate }) =>
        candidate.id === 'b'
          ? 'b'
          : inner.execute(() => {
              requests += 1
              throw producedError('transient')
            }),
      ),
    )
    expect(value).toBe('b')
    expect(requests).toBe(3)
  })

  test('class and hint survive a wrapped error, JSON and a clone', async () => {
    for (const carry of [
      (error: unknown) => new Error('tool failed', { cause: error }),
      (error: unknown) => ({ error: JSON.parse(JSON.stringify(error)) }),
      (error: unknown) => structuredClone((error as { toJSON(): unknown }).toJSON()),
    ]) {
      const clock = fakeClock()
      const inner = heed({ candidates: [A], clock, maxWaitMs: 1_000, random: () => 0 })
      const outer = scene({ candidates: [A], clock, maxWaitMs: 1_000 })
      await clock.run(
        outer.guard.settle(async () => {
          try {
            return await inner.execute(() => Promise.reject(producedError('transient', { retryAfterSecs: 90 })))
          } catch (error) {
            throw carry(error)
          }
        }),
      )
      expect(outer.of('failure')).toMatchObject([{ class: 'transient', retryAfterSecs: 90, exhausted: true }])
    }
  })

  test('one abort ends all layers at once', async () => {
    const clock = fakeClock()
    const controller = new AbortController()
    const abortSignal = controller.signal
    const inner = heed({ candidates: [A], clock, random: () => 0, backoff: () => 1_000 })
    const outer = heed({ candidates: [A], clock, random: () => 0, backoff: () => 1_000 })
    let requests = 0
    const settled = outcomeOf(
      outer.execute(
        () =>
          inner.execute(
            () => {
              requests += 1
              throw producedError('transient')
            },
            { abortSignal },
          ),
        { abortSignal },
      ),
    )
    await clock.advance(10)
    controller.abort('enough')
    expect(await settled).toEqual({ error: 'enough' })
    await clock.advance(100_000)
    expect(requests).toBe(1)
    expect(clock.pendingTimers).toBe(0)
  })
})

describe('guards that share a health', () => {
  test('share cooling marks', async () => {
    const clock = fakeClock()
    const health = createHealth({ clock })
    const [one, two] = [scene({ candidates: [A, B], clock, health }), scene({ candidates: [A, B], clock, health })]
    const { call, invocations } = scriptedProducer(
      { a: [{ error: producedError('transient', { retryAfterSecs: 3_600 }) }] },
      { clock },
    )
    await one.guard.execute(call)
    await two.guard.execute(call)
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['a', 'b', 'b'])
    expect(one.guard.health).toBe(health)
  })

  test('share prompts, and either resolves them', async () => {
    const clock = fakeClock()
    const health = createHealth({ clock })
    const [one, two] = [scene({ candidates: [A], clock, health }), scene({ candidates: [A], clock, health })]
    const { call, invocations } = scriptedProducer(
      { a: [{ error: producedError('auth_required') }, { value: 'ok' }] },
      { clock },
    )
    const first = one.guard.execute(call)
    await clock.advance(0)
    const second = two.guard.execute(call)
    await clock.advance(0)
    expect(invocations).toHaveLength(1)
    expect(one.of('auth_prompt')).toHaveLength(1)
    two.guard.auth.resolve('p')
    expect(await clock.run(Promise.all([first, second]))).toEqual(['ok', 'ok'])
  })

  test('share the retry budget of a candidate', async () => {
    const clock = fakeClock()
    const health = createHealth({ clock })
    const options = { candidates: [A], clock, health, budget: { start: 1, deposit: 0, cap: 1 } } as const
    const [one, two] = [scene(options), scene(options)]
    const { call, invocations } = scriptedProducer({ a: [{ error: producedError('transient') }] }, { clock })
    await clock.run(one.guard.settle(call))
    await clock.run(two.guard.settle(call))
    expect(invocations).toHaveLength(3)
  })

  test('with healths of their own share nothing', async () => {
    const clock = fakeClock()
    const [one, two] = [scene({ candidates: [A, B], clock }), scene({ candidates: [A, B], clock })]
    const { call, invocations } = scriptedProducer(
      { a: [{ error: producedError('transient', { retryAfterSecs: 3_600 }) }] },
      { clock },
    )
    await one.guard.execute(call)
    await two.guard.execute(call)
    expect(invocations.map(({ candidate }) => candidate)).toEqual(['a', 'b', 'a', 'b'])
  })
})
