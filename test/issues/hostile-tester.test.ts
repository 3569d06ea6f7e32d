import { createHealth, heed, isHeedError } from 'heed'
import { surface as surfaceAuth } from 'heed/strategies/auth/surface'
import { consecutive } from 'heed/strategies/breaker/consecutive'
import { surface as surfaceOverflow } from 'heed/strategies/overflow/surface'
import { fakeClock, producedError } from 'heed/testing'
import { describe, expect, test } from 'vitest'

/** Each of these was once wrong, and was found by somebody who tried to break the laws from outside. */
const one = [{ id: 'a', provider: 'p' }]
const two = [...one, { id: 'b', provider: 'q' }]
const refusal = producedError('auth_required')

describe('what is thrown', () => {
  test('settle does not throw for a revoked proxy, nor for a getter that throws', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const hostile = {
      get exhausted(): never {
        throw new Error('no')
      },
    }
    for (const thrown of [proxy, hostile]) {
      const outcome = await heed({ candidates: one }).settle(() => Promise.reject(thrown))
      expect(outcome.status).toBe('failed')
      expect((outcome as { error: unknown }).error).toBe(thrown)
    }
  })

  test('a deadline that cuts an idempotent call has no class, in the outcome and in the event', async () => {
    const clock = fakeClock()
    const guard = heed({ candidates: one, idempotent: true, timeoutMs: 20, clock })
    const surfaced: unknown[] = []
    guard.health.on('surface', (event) => surfaced.push([event.reason, event.class]))
    const outcome = await clock.run(guard.settle(() => new Promise<never>(() => undefined)))
    expect(outcome).not.toHaveProperty('class')
    expect(isHeedError((outcome as { error: unknown }).error)).toBe(true)
    expect(surfaced).toEqual([['timeout', undefined]])
  })
})

describe('listeners', () => {
  test('one that is alone and spoils its event silences nobody who comes after', async () => {
    const health = createHealth()
    const guard = heed({ candidates: one, health })
    const stop = health.on('attempt', (event) => {
      Object.defineProperty(event, 'at', {
        get: () => {
          throw new Error('spoilt')
        },
      })
      throw new Error('and thrown')
    })
    expect(await guard.execute(() => 'x')).toBe('x')
    stop()
    let heard = 0
    health.on('attempt', () => {
      heard += 1
    })
    await guard.execute(() => 'x')
    expect(heard).toBe(1)
  })

  test('marks that one changes between a decision and its attempt are read again', async () => {
    const guard = heed({ candidates: two })
    const asked: string[] = []
    guard.health.on('advance', () => guard.auth.decline('q'))
    const outcome = await guard.settle(({ candidate }) => {
      asked.push(candidate.id)
      throw producedError('permanent')
    })
    expect(asked).toEqual(['a'])
    expect(outcome.status).toBe('suspended')
  })

  test('stopping one of two subscriptions of the same function leaves the other', async () => {
    const guard = heed({ candidates: one })
    let heard = 0
    const listener = (): unknown => {
      heard += 1
      return heard
    }
    guard.health.on('success', listener)
    guard.health.on('success', listener)()
    await guard.execute(() => 'x')
    expect(heard).toBe(1)
  })
})

describe('streams', () => {
  test('a consumer that leaves in the middle of a read ends the source through its signal', async () => {
    let told = false
    const caller = new AbortController()
    const stream = heed({ candidates: one }).stream(
      async function* ({ abortSignal }) {
        yield 1
        await new Promise((_, reject) => {
          abortSignal.addEventListener('abort', () => {
            told = true
            reject(abortSignal.reason)
          })
        })
      },
      { abortSignal: caller.signal },
    )
    await stream.next()
    const pending = stream.next()
    expect(await stream.return()).toEqual({ done: true, value: undefined })
    expect(await pending).toEqual({ done: true, value: undefined })
    expect(told).toBe(true)
  })

  test('opened, first read after a failure behind the commit, counts each attempt once', async () => {
    const stream = heed({
      candidates: one,
      producer: {
        classify: () => ({ class: 'transient' }),
        inspect: (item) => (item === 'bad' ? { class: 'transient' } : undefined),
      },
    }).stream(async function* () {
      yield 'hi'
      yield 'bad'
    })
    const items: string[] = []
    for await (const item of stream) items.push(item)
    expect(items).toEqual(['hi', 'bad'])
    expect((await stream.opened).attempts).toHaveLength(1)
  })
})

describe('strategies and adapters', () => {
  test('auth surface surfaces for every call while another provider could serve, not for the first alone', async () => {
    const guard = heed({ candidates: two, auth: surfaceAuth })
    const call = ({ candidate }: { candidate: { id: string } }): string => {
      if (candidate.id === 'a') throw refusal
      return candidate.id
    }
    expect((await guard.settle(call)).status).toBe('suspended')
    expect((await guard.settle(call)).status).toBe('suspended')
  })

  test('overflow surface does not pause for a larger window that is blocked', async () => {
    const clock = fakeClock()
    const health = createHealth()
    const large = { id: 'large', provider: 'q', contextWindow: 100 }
    const chain = [{ id: 'small', provider: 'p', contextWindow: 10 }, large]
    await clock.run(
      heed({ candidates: [large], health, clock, auth: surfaceAuth }).settle(() => {
        throw refusal
      }),
    )
    const outcome = await heed({ candidates: chain, health, clock, overflow: surfaceOverflow }).settle(() => {
      throw producedError('context_overflow')
    })
    expect(outcome).toMatchObject({ status: 'failed', class: 'context_overflow' })
    expect(clock.now()).toBe(0)
  })

  test('a promise from an adapter is reported, rejects unheard by nobody, and says nothing', async () => {
    const faults: string[] = []
    const adapter = { classify: () => Promise.reject(new Error('late')), inspect: () => Promise.resolve() }
    const guard = heed({ candidates: one, producer: adapter as never })
    guard.health.on('malformed', (event) => faults.push(`${event.field} ${event.fault}`))
    expect((await guard.settle(() => 'x')).status).toBe('completed')
    expect((await guard.settle(() => Promise.reject(new Error('x')))).status).toBe('failed')
    expect(faults).toEqual(['inspect wrong_type', 'classify wrong_type'])
  })

  test('a half-open breaker lets one probe through, however many credentials the candidate has', async () => {
    const clock = fakeClock()
    const guard = heed({
      clock,
      budget: false,
      attempts: { perTarget: 1 },
      breaker: consecutive({ threshold: 1, coolMs: 1_000 }),
      candidates: [{ id: 'a', provider: 'p', credentials: ['k1', 'k2'] }],
    })
    await clock.run(
      guard.settle(() => {
        throw producedError('transient')
      }),
    )
    await clock.advance(5_000)
    let probes = 0
    const calls = Array.from({ length: 20 }, () =>
      guard.settle(() => {
        probes += 1
        return new Promise<void>((resolve) => {
          clock.setTimeout(resolve, 500)
        })
      }),
    )
    await clock.advance(1)
    expect(probes).toBe(1)
    await clock.run(Promise.all(calls))
  })
})

test('a candidate whose only credential is refused pauses for it, though its provider serves with another', async () => {
  const clock = fakeClock()
  const health = createHealth()
  const both = heed({ clock, health, candidates: [{ id: 'a', provider: 'p', credentials: ['k1', 'k2'] }] })
  await both.execute(({ credential }) => {
    if (credential === 'k1') throw refusal
  })
  const guard = heed({ clock, health, candidates: [{ id: 'c', provider: 'p', credentials: ['k1'] }] })
  const waiting = guard.settle(() => 'x')
  await clock.advance(1)
  expect(guard.auth.pending()).toMatchObject([{ provider: 'p', refused: ['k1'], waiting: 1 }])
  guard.auth.resolve('p')
  expect((await clock.run(waiting)).status).toBe('completed')
})

test("a caller who turns the chain's array around afterwards turns nothing around", async () => {
  const chain = [...two]
  const guard = heed({ candidates: chain })
  chain.reverse()
  const outcome = await guard.settle(({ candidate }) => candidate.id)
  expect(outcome).toMatchObject({ status: 'completed', value: 'a', attempts: [{ candidate: 'a' }] })
})
