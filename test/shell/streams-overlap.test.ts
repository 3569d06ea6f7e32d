import type { FakeClock } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { A, outcomeOf, scene } from './scene.ts'

const later = (clock: FakeClock, delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    clock.setTimeout(resolve, delayMs)
  })

describe('a consumer that keeps several reads in flight', () => {
  test('is not told of a silence while items arrive in time', async () => {
    const told = scene({ candidates: [A], idleTimeoutMs: 1_000 })
    const stream = told.guard.stream(async function* () {
      for (let item = 0; item < 5; item += 1) {
        if (item > 0) await later(told.clock, 900)
        yield item
      }
    })
    await stream.next()
    const reads = Array.from({ length: 4 }, () => outcomeOf(stream.next()))
    expect(await told.clock.run(Promise.all(reads))).toEqual(
      [1, 2, 3, 4].map((value) => ({ value: { done: false, value } })),
    )
  })

  test('is told of a real one, however many reads it adds meanwhile', async () => {
    const told = scene({ candidates: [A], idleTimeoutMs: 1_000 })
    const stream = told.guard.stream(() => {
      let asked = 0
      return {
        [Symbol.asyncIterator]: () => ({
          next: async () => {
            asked += 1
            return asked === 1 ? { done: false as const, value: 1 } : new Promise<never>(() => undefined)
          },
        }),
      }
    })
    await stream.next()
    const reads: Promise<unknown>[] = []
    for (let read = 0; read < 4; read += 1) {
      reads.push(outcomeOf(stream.next()))
      await told.clock.advance(400)
    }
    expect(told.of('surface')).toMatchObject([{ reason: 'idle_timeout', at: 1_000 }])
    expect(await reads[0]).toMatchObject({ error: { reason: 'idle_timeout' } })
  })

  test('for a long time is still settled by an abort', async () => {
    const controller = new AbortController()
    const told = scene({ candidates: [A] })
    const ITEMS = 20_000
    const stream = told.guard.stream(
      () => {
        let asked = 0
        return {
          [Symbol.asyncIterator]: () => ({
            next: async () => {
              asked += 1
              return asked <= ITEMS ? { done: false as const, value: asked } : new Promise<never>(() => undefined)
            },
          }),
        }
      },
      { abortSignal: controller.signal },
    )
    await stream.next()
    let ahead = stream.next()
    for (let read = 2; read < ITEMS; read += 1) {
      const next = stream.next()
      expect(await ahead).toEqual({ done: false, value: read })
      ahead = next
    }
    const waiting = outcomeOf(stream.next())
    await ahead
    controller.abort('enough')
    expect(await waiting).toEqual({ error: 'enough' })
    expect(told.of('surface')).toMatchObject([{ reason: 'aborted' }])
  })
})
