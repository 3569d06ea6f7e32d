import { AsyncLocalStorage } from 'node:async_hooks'
import { heed } from 'heed'
import { fakeClock, producedError } from 'heed/testing'
import { describe, expect, test } from 'vitest'

const NAMES = ['A', 'B', 'C'] as const

/** Each name's own context, with what its attempts found there. */
async function contextsOf(options: { readonly attemptTimeoutMs?: number }, fail: () => unknown, leapMs: number) {
  const clock = fakeClock()
  const guard = heed({ candidates: [{ id: 'a', provider: 'a' }], clock, idempotent: true, ...options })
  const storage = new AsyncLocalStorage<string>()
  const found: Record<string, (string | undefined)[]> = {}
  const calls = NAMES.map((name) =>
    storage.run(name, () =>
      guard.execute(({ number }) => {
        found[name] = [...(found[name] ?? []), storage.getStore()]
        return number === 1 ? fail() : name
      }),
    ),
  )
  for (let turn = 0; turn < 2; turn += 1) await clock.advance(leapMs)
  expect(await Promise.all(calls)).toEqual(NAMES)
  return found
}

describe('many calls share one timer; each attempt runs in the async context of its own call', () => {
  const own = { A: ['A', 'A'], B: ['B', 'B'], C: ['C', 'C'] }

  test('after a wait', async () => {
    const fail = (): never => {
      throw producedError('transient')
    }
    expect(await contextsOf({}, fail, 60_000)).toEqual(own)
  })

  test('after an attempt that timed out', async () => {
    expect(await contextsOf({ attemptTimeoutMs: 1_000 }, () => new Promise(() => {}), 60_000)).toEqual(own)
  })
})
