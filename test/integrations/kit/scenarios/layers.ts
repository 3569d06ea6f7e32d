import { expect } from 'vitest'
import { fakeClock } from '../../../../src/testing/fake-clock.ts'
import type { HostCandidate, HostDriver, HostOptions } from '../host.ts'
import { inOrder } from '../provider-server.ts'
import { refusals } from '../refusals.ts'
import type { Line, Scenario } from '../scenario.ts'
import { onStage, WALL_MS } from '../stage.ts'
import { answer, refuse } from '../steps.ts'
import { type Consumed, consume, heedErrorIn } from '../table.ts'

/** Three copies of heed, one in the other: an upstream that is dead is asked three times, not 27. */
export function layerLines(driver: HostDriver): readonly Line[] {
  const { nest } = driver
  if (nest === undefined) return []
  const start = ([a]: readonly HostCandidate[], options: HostOptions) => nest([a as HostCandidate], options)
  return ways((asks) => [
    'three nested copies make three requests',
    async () => {
      const a = inOrder(refuse(refusals[driver.dialect].transient))
      await onStage(driver, { a, b: a, start }, async ({ host, counted }) => {
        const got: Consumed = { text: '', failed: false, error: undefined }
        await consume(host, asks, got)
        expect(counted()).toEqual([3, 0])
        expect(heedErrorIn(got.error)).toMatchObject({ class: 'transient', exhausted: true })
      })
    },
  ])
}

/** A refused credential: the call waits until a human has renewed it, and goes on. */
export function pauseLines(driver: HostDriver): readonly Line[] {
  return ways((asks) => [
    'a refused credential is waited for',
    async () => {
      const a = inOrder(refuse(refusals[driver.dialect].authRequired), answer('from a'))
      const clock = fakeClock({ wallMs: WALL_MS })
      await onStage(driver, { a, b: a, clock }, async ({ host, of, counted, attempted }) => {
        host.health.on('auth_prompt', ({ provider }) => host.auth.resolve(provider))
        const got: Consumed = { text: '', failed: false, error: undefined }
        await consume(host, asks, got)
        expect(got).toEqual({ text: 'from a', failed: false, error: undefined })
        expect(counted()).toEqual([2, 0])
        expect(attempted()).toEqual(counted())
        expect(of('auth_prompt')).toMatchObject([{ provider: 'one' }])
        expect(of('success')).toHaveLength(1)
      })
    },
  ])
}

function ways(line: (asks: Scenario['asks']) => Line): readonly Line[] {
  return (['unary', 'stream'] as const).map((asks) => {
    const [name, play] = line(asks)
    return [`${name}, ${asks}`, play]
  })
}
