import { createHealth, heed } from 'heed'
import { type FakeClock, fakeClock, memoryStore, producedError } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { noUnhandledRejections } from './no-unhandled-rejections.ts'

const one = [{ id: 'a', provider: 'p' }]
const broken = new Error('the clock is broken')
const later = producedError('transient', { retryAfterSecs: 30 })
const refused = producedError('auth_required')

/** A clock that throws when it is read inside a timer of at most so long, so often. */
function throwing(times: number, ofMs = Number.POSITIVE_INFINITY): FakeClock {
  const clock = fakeClock()
  let left = 0
  return {
    ...clock,
    now: () => {
      if (left === 0) return clock.now()
      left -= 1
      throw broken
    },
    setTimeout: (callback, delayMs) =>
      clock.setTimeout(() => {
        if (delayMs <= ofMs) left = times
        callback()
      }, delayMs),
    get pendingTimers() {
      return clock.pendingTimers
    },
  }
}

describe.each([1, 2, 3, 4, Number.POSITIVE_INFINITY])(
  'a clock that throws in its timer %d times loses no call',
  (times) => {
    noUnhandledRejections()

    /** All settle: with what they would have come to, or with what the clock threw. Nothing is left. */
    const allSettle = async (clock: FakeClock, calls: readonly Promise<unknown>[], wanted: unknown): Promise<void> => {
      const ends = await clock.run(Promise.all(calls.map((call) => call.catch((error: unknown) => error))))
      for (const end of ends) if (end !== broken) expect(end).toMatchObject(wanted as object)
      if (times === Number.POSITIVE_INFINITY) expect(new Set(ends)).toEqual(new Set([broken]))
      expect(clock.pendingTimers).toBe(0)
    }

    test('that waits, alone or with others, for the same time or for another', async () => {
      const clock = throwing(times)
      const guard = heed({ candidates: one, clock, maxWaitMs: 1e6, budget: false })
      const calls = [30, 30, 31, 50].map((retryAfterSecs) =>
        guard.execute(({ number }) => {
          if (number === 1) throw producedError('transient', { retryAfterSecs })
          return { served: true }
        }),
      )
      await allSettle(clock, calls, { served: true })
    })

    test('whose attempt has a limit', async () => {
      const clock = throwing(times)
      const guard = heed({ candidates: one, clock, attemptTimeoutMs: 1_000 })
      await allSettle(clock, [guard.execute(() => new Promise(() => {}))], { reason: 'attempt_timeout' })
    })

    test('that pauses', async () => {
      const clock = throwing(times)
      const guard = heed({ candidates: one, clock, maxPauseMs: 1_000 })
      await allSettle(clock, [guard.execute(() => Promise.reject(refused))], { class: 'auth_required' })
    })

    test('that reads a silent stream', async () => {
      const clock = throwing(times)
      const guard = heed({ candidates: one, clock, idleTimeoutMs: 1_000 })
      const stream = guard.stream(async function* () {
        yield 1
        await new Promise(() => {})
      })
      await stream.next()
      await allSettle(clock, [stream.next()], { reason: 'idle_timeout' })
    })

    test('that asks a store for the lease of a probe', async () => {
      const clock = throwing(times, 1_000)
      let isSilent = false
      const store = memoryStore({ clock, travel: (arrive) => !isSilent && arrive() })
      const health = createHealth({ clock, store })
      const guard = heed({ candidates: one, clock, health, attempts: { perTarget: 1 } })
      await clock.run(guard.settle(() => Promise.reject(later)))
      await clock.advance(60_000)
      isSilent = true
      const call = guard.execute(() => ({ served: true }))
      call.catch(() => undefined)
      await clock.advance(1_000)
      const closed = health.close()
      await clock.advance(2_000)
      await closed
      await allSettle(clock, [call], { served: true })
    })
  },
)

test('a clock that cannot be read when an item arrives loses no read of a stream', async () => {
  const clock = fakeClock()
  let isBroken = false
  const now = (): number => {
    if (isBroken) throw broken
    return clock.now()
  }
  const guard = heed({ candidates: one, clock: { ...clock, now }, idleTimeoutMs: 1_000 })
  const stream = guard.stream(async function* () {
    yield 1
    isBroken = true
    yield 2
  })
  expect(await stream.next()).toEqual({ done: false, value: 1 })
  expect(await stream.next()).toEqual({ done: false, value: 2 })
})

test('a clock that throws once, at whichever reading, loses no call', async () => {
  for (let bad = 1; bad <= 40; bad += 1) {
    const clock = fakeClock()
    let readings = 0
    const now = (): number => {
      readings += 1
      if (readings === bad) throw broken
      return clock.now()
    }
    const own = { ...clock, now }
    // A health of its own each, and each waits for less than the one before it: the timer is moved.
    const calls = [50, 30, 10].map((retryAfterSecs) =>
      heed({ candidates: one, clock: own }).execute(({ number }) => {
        if (number === 1) throw producedError('transient', { retryAfterSecs })
      }),
    )
    await clock.run(Promise.allSettled(calls))
    expect(clock.pendingTimers).toBe(0)
  }
})

test('a clock that can be read only once in a timer, which comes early, makes no timer spin', async () => {
  const clock = fakeClock()
  // Outside of a timer it counts on, from here.
  let readings = 2
  let made = 0
  const guard = heed({
    candidates: one,
    clock: {
      ...clock,
      now: () => {
        readings += 1
        if (readings === 2) throw broken
        return clock.now()
      },
      setTimeout: (callback, delayMs) => {
        made += 1
        if (made > 100) throw new Error('it spins')
        const come = (): void => {
          readings = 0
          callback()
          readings = 2
        }
        return clock.setTimeout(come, Math.ceil(delayMs / 2))
      },
    },
  })
  const answer = guard.execute(({ number }) => {
    if (number === 1) throw later
    return 'served'
  })
  expect(await clock.run(answer)).toBe('served')
})

test('a clock that throws in a timer ends no limit early that is longer than a timer', async () => {
  const clock = throwing(1)
  const attemptTimeoutMs = 2 ** 32
  await clock.run(heed({ candidates: one, clock, attemptTimeoutMs }).settle(() => new Promise(() => {})))
  expect(clock.wallNow() - Date.UTC(2026, 0, 1)).toBe(attemptTimeoutMs)
})

test('settle answers what the clock threw, with the attempts made', async () => {
  const clock = throwing(Number.POSITIVE_INFINITY)
  const guard = heed({ candidates: one, clock })
  const outcome = await clock.run(guard.settle(() => Promise.reject(later)))
  expect(outcome).toMatchObject({ status: 'failed', error: broken, attempts: [{ candidate: 'a', class: 'transient' }] })
})

describe('a clock whose timers throw', () => {
  noUnhandledRejections()

  test('fails the call that asked for one, and no call after it', async () => {
    const clock = fakeClock()
    let throws = true
    const broke: FakeClock = {
      ...clock,
      setTimeout: (callback, delayMs) => {
        if (!throws) return clock.setTimeout(callback, delayMs)
        throws = false
        throw broken
      },
      get pendingTimers() {
        return clock.pendingTimers
      },
    }
    const guard = heed({ candidates: one, clock: broke, backoff: () => 20 })
    const call = (): Promise<number> =>
      guard.execute(({ number }) => {
        if (number === 1) throw producedError('transient')
        return clock.now()
      })
    await expect(call()).rejects.toBe(broken)
    expect(await clock.run(call())).toBe(20)
    expect(clock.pendingTimers).toBe(0)
  })

  test('loses no call where it cannot take one back', async () => {
    const clock = fakeClock()
    const broke: FakeClock = {
      ...clock,
      clearTimeout: () => {
        throw broken
      },
      get pendingTimers() {
        return clock.pendingTimers
      },
    }
    const guard = heed({ candidates: one, clock: broke, attemptTimeoutMs: 1_000 })
    expect(await guard.execute(() => Promise.resolve(1))).toBe(1)
    const controller = new AbortController()
    const waiting = [1, 2, 3].map(() =>
      guard.settle(() => Promise.reject(refused), { abortSignal: controller.signal }).then(({ status }) => status),
    )
    await clock.advance(10)
    controller.abort()
    expect(await Promise.all(waiting)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  })

  test('keeps the calls that wait for a human until the answer is given', async () => {
    const clock = fakeClock()
    let throws = false
    const broke: FakeClock = {
      ...clock,
      now: () => {
        if (!throws) return clock.now()
        throws = false
        throw broken
      },
      get pendingTimers() {
        return clock.pendingTimers
      },
    }
    const guard = heed({ candidates: one, clock: broke })
    const call = guard.execute(({ number }) => (number === 1 ? Promise.reject(refused) : 'served'))
    await clock.advance(10)
    throws = true
    expect(() => guard.auth.resolve('p')).toThrow(broken)
    guard.auth.resolve('p')
    expect(await clock.run(call)).toBe('served')
  })

  test('may ring at once, which is no reason to forget who waits later', async () => {
    let nowMs = 0
    const leaping = {
      now: () => nowMs,
      wallNow: () => nowMs,
      setTimeout: (ring: () => void, ms: number) => {
        nowMs += ms
        ring()
      },
      clearTimeout: () => undefined,
    }
    const guard = heed({ candidates: one, clock: leaping, budget: false, backoff: () => 5 })
    const call = () =>
      guard.execute(({ number }) => (number === 1 ? Promise.reject(producedError('transient')) : number))
    for (const _ of [1, 2, 3]) expect(await call()).toBe(2)
    expect(nowMs).toBe(15)
  })
})
