import { consecutive } from 'heed/strategies/breaker/consecutive'
import { producedError, type Step, scriptedProducer } from 'heed/testing'
import { expect, test } from 'vitest'
import { A, B, scene } from './scene.ts'

const bad: Step = { error: producedError('transient') }
const good: Step = { value: 'a' }
const breaker = consecutive({ threshold: 1, coolMs: 10_000 })

/** Milliseconds that the breaker cooled, each time it opened. */
async function cooled(steps: readonly Step[], pauseMs: number): Promise<readonly unknown[]> {
  const told = scene({ candidates: [A, B], breaker, attempts: { perTarget: 1 } })
  const { call } = scriptedProducer({ a: steps }, told)
  for (const _step of steps) {
    await told.guard.execute(call)
    await told.clock.advance(pauseMs)
    const left = told.guard.health.snapshot().cooling[0]?.remainingMs ?? 0
    await told.clock.advance(left)
  }
  return told.of('cooling').map((event) => event['forMs'])
}

test('a candidate that recovers again and again cools longer, by how many recoveries the window holds', async () => {
  const flaps = [bad, good, bad, good, bad, good, bad, good, bad, good, bad]
  expect(await cooled(flaps, 1)).toEqual([10_000, 20_000, 40_000, 80_000, 40_000, 40_000])
})

test('one that recovered long ago does not', async () => {
  expect(await cooled([bad, good, bad, good, bad], 110_000)).toEqual([10_000, 10_000, 10_000])
})

test('a probe that fails is no recovery', async () => {
  expect(await cooled([bad, bad, bad], 1)).toEqual([10_000, 10_000, 10_000])
})
