import { AsyncLocalStorage } from 'node:async_hooks'
import { heed } from 'heed'
import { fakeClock } from 'heed/testing'
import { expect, test } from 'vitest'

test('a stream that falls silent: its events and its signal are heard in its own async context', async () => {
  const clock = fakeClock()
  const storage = new AsyncLocalStorage<string>()
  const guard = heed({ candidates: [{ id: 'a', provider: 'a' }], clock, idleTimeoutMs: 1_000 })
  const failures: unknown[] = []
  const cuts: unknown[] = []
  guard.health.on('failure', () => failures.push(storage.getStore()))
  const read = (name: string) =>
    storage.run(name, async () => {
      const stream = guard.stream(async ({ abortSignal }) => {
        abortSignal.addEventListener('abort', () => cuts.push(storage.getStore()))
        return (async function* () {
          yield 1
          await new Promise(() => {})
        })()
      })
      await stream.next()
      await stream.next().catch(() => undefined)
    })
  const reads = ['A', 'B', 'C'].map(read)
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
  await clock.advance(5_000)
  await Promise.all(reads)
  expect(failures.sort()).toEqual(['A', 'B', 'C'])
  expect(cuts.sort()).toEqual(['A', 'B', 'C'])
})
