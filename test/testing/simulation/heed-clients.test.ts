import { policyOf } from 'heed'
import { heedClients, type Phase, type ServerScript, simulate } from 'heed/testing'
import { describe, expect, test } from 'vitest'
import { type Scene, throughGuard, throughSimulation } from './through-guard.ts'

const during = (fromSec: number, untilSec: number) => ({
  fromMs: fromSec * 1_000 + 0.5,
  untilMs: untilSec * 1_000 + 0.5,
})
const server = (...phases: readonly Phase[]): ServerScript => ({ capacityPerSec: 37, refusalMs: 3, phases })

const scenes: readonly (readonly [string, Scene])[] = [
  ['a flaky server', { scripts: [server({ kind: 'flaky', ...during(5, 50), share: 0.3 })] }],
  [
    'a flaky server, no budget',
    { scripts: [server({ kind: 'flaky', ...during(5, 50), share: 0.3 })], options: { budget: false } },
  ],
  ['a brown-out', { scripts: [server({ kind: 'brown_out', ...during(5, 15), capacity: 0.05 })] }],
  ['an outage', { scripts: [server({ kind: 'outage', ...during(5, 12) })] }],
  ['an outage with a fallback', { scripts: [server({ kind: 'outage', ...during(5, 12) }), server()] }],
  ['an outage with a hint', { scripts: [server({ kind: 'outage', ...during(5, 12), retryAfterSecs: 2 })] }],
  [
    'a rate window with a fallback that is flaky',
    {
      scripts: [
        server({ kind: 'rate_window', ...during(5, 45), windowMs: 10_000, requests: 20 }),
        server({ kind: 'flaky', ...during(0, 60), share: 0.2 }),
      ],
    },
  ],
  ['a rate window', { scripts: [server({ kind: 'rate_window', ...during(5, 45), windowMs: 7_000, requests: 20 })] }],
  ['a revoked key', { scripts: [server({ kind: 'revoked_key', ...during(5, 20) })] }],
  [
    'a pause that ends unanswered',
    { scripts: [server({ kind: 'revoked_key', ...during(5, 20) })], options: { maxPauseMs: 4_000 } },
  ],
  [
    'one revoked key of two',
    { scripts: [server({ kind: 'revoked_key', ...during(5, 20), credential: 'one' })], credentials: ['one', 'two'] },
  ],
]

describe('the simulated clients do what a guard does', () => {
  test.each(scenes)('%s', async (_name, scene) => {
    const { seen, times } = throughSimulation(scene)
    expect(seen.asked.length).toBeGreaterThan(200)
    expect(await throughGuard(scene, times)).toEqual(seen)
  })
})

test('a call that is not idempotent is not repeated after its own timeout', () => {
  const behaviour = heedClients(policyOf({ candidates: [{ id: 'a', provider: 'a' }] }), { idempotent: false })
  const { calls, attempts, timedOut } = simulate({
    seed: 1,
    clients: 1,
    callsPerSec: 10,
    forMs: 10_000,
    timeoutMs: 100,
    servers: [{ capacityPerSec: 5 }],
    behaviour,
  })
  expect(timedOut).toBeGreaterThan(0)
  expect(attempts).toBe(calls)
})
