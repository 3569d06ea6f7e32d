import { decide, NO_MARKS, policyOf, startCall } from 'heed'
import { heedClients, producedError, scriptedProducer, simulate } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../src/testing/simulation/random.ts'
import { A, B, scene } from './scene.ts'

const hinted = (retryAfterSecs: number) => ({ error: producedError('transient', { retryAfterSecs }) })

describe('calls that wait for what another call was told', () => {
  /** When a second call comes back that starts while the first is waiting. */
  const comesBackAt = async (
    random: number,
    { hintSecs = 30, startMs = 0, timeoutMs = Number.POSITIVE_INFINITY, maxWaitMs = 1e6 } = {},
  ): Promise<number | undefined> => {
    const told = scene({ candidates: [A], random: () => random, maxWaitMs })
    const { call, invocations } = scriptedProducer({ a: [hinted(hintSecs), { value: 'served' }] }, told)
    const first = told.guard.settle(call, { timeoutMs: 1 })
    await told.clock.advance(startMs)
    await told.clock.run(Promise.all([first, told.guard.settle(call, { timeoutMs })]))
    return invocations[1]?.at
  }

  test.each([
    [0, {}, 30_000],
    [0.5, {}, 31_500],
    [0.999, {}, 32_997],
    // A tenth of what is left, and never more than ten seconds.
    [0.5, { startMs: 20_000 }, 30_500],
    [0.5, { hintSecs: 400 }, 405_000],
    // Where the spread does not fit and the wait does, the call waits without.
    [0.5, { timeoutMs: 31_000 }, 30_000],
    [0.5, { maxWaitMs: 31_000 }, 30_000],
    [0, { timeoutMs: 30_000 }, undefined],
  ])('by %d of %o', async (random, given, expected) => {
    expect(await comesBackAt(random, given)).toBe(expected)
  })

  test('come back one after the other, none of them early', async () => {
    const told = scene({ candidates: [A], random: randomFor(1, 'herd') })
    const { call, invocations } = scriptedProducer({ a: [hinted(30), { value: 'served' }] }, told)
    const first = told.guard.settle(call)
    await told.clock.advance(1)
    const calls = Array.from({ length: 300 }, () => told.guard.settle(call))
    await told.clock.run(Promise.all([first, ...calls]))
    const times = invocations.slice(1).map(({ at }) => at)
    expect(times).toHaveLength(301)
    expect(Math.min(...times)).toBeGreaterThanOrEqual(30_000)
    expect(Math.max(...times)).toBeLessThanOrEqual(33_000)
    expect(new Set(times).size).toBeGreaterThan(250)
  })

  test('learn from the first of them that is told to wait on', async () => {
    const told = scene({ candidates: [A], random: randomFor(1, 'herd'), maxWaitMs: 1e6 })
    const { call, invocations } = scriptedProducer({ a: [hinted(30), hinted(30), { value: 'served' }] }, told)
    const first = told.guard.settle(call, { timeoutMs: 1 })
    const calls = Array.from({ length: 100 }, () => told.guard.settle(call))
    await told.clock.run(Promise.all([first, ...calls]))
    expect(invocations.filter(({ at }) => at > 0 && at < 60_000)).toHaveLength(1)
  })
})

test('a wait that the call has computed for itself is not spread once more', () => {
  const policy = policyOf({ candidates: [A, B] })
  const [a, b] = policy.targets
  const call = startCall(policy)
  // It waited for `b` rather than for its own backoff at `a`, and `b` has been told a later time since.
  const state = { ...call, chosen: b ?? null, targets: [{ tries: 1, generation: 0, readyAtMs: 20_000 }] }
  const marks = { ...NO_MARKS, cooling: { [b?.key ?? '']: { candidate: 'b', untilMs: 90_000 } } }
  const decision = decide(policy, { occasion: { kind: 'wake' }, state, marks, nowMs: 11_000, random: 0.5 })
  expect(decision).toMatchObject({ target: a, delayMs: 9_000 })
})

test('a rate window refuses few of those who wait for its end', () => {
  const { servers, attempts } = simulate({
    seed: 1,
    clients: 20,
    callsPerSec: 80,
    forMs: 300_000,
    servers: [
      {
        capacityPerSec: 1_000,
        phases: [{ kind: 'rate_window', fromMs: 60_000, untilMs: 240_000, windowMs: 60_000, requests: 3_000 }],
      },
    ],
    behaviour: heedClients(policyOf({ candidates: [A] })),
  })
  expect(servers[0]?.refused).toBeLessThan(0.01 * attempts)
})
