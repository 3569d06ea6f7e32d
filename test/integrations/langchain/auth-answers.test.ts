import { heed } from 'heed'
import { producedError } from 'heed/testing'
import { expect, test } from 'vitest'
import { AuthInterrupts } from '../../../src/integrations/langchain/auth-interrupt.ts'
import { rejection } from './scene.ts'

test.each([
  [false, 'declined', undefined],
  [{ declined: true }, 'declined', undefined],
  [{ declined: true, reason: 'on leave' }, 'declined', 'on leave'],
  [true, 'resolved', undefined],
  ['done', 'resolved', undefined],
  [undefined, 'resolved', undefined],
  [{ declined: 'no' }, 'resolved', undefined],
])('a graph that is resumed with %j: %s', async (answer, outcome, reason) => {
  const chain = [{ id: 'a', provider: 'one' }]
  const guard = heed({ candidates: chain, auth: () => 'surface' })
  const answered: unknown[] = []
  guard.health.on('auth_resolved', (event) => answered.push([event.outcome, event.reason]))
  let refusedTimes = 1
  const ask = () =>
    guard.execute(() => {
      if (refusedTimes > 0) throw producedError('auth_required')
      return 'served'
    })
  const graph = {
    interrupt: () => {
      refusedTimes -= 1
      return answer
    },
  }
  const run = new AuthInterrupts().run(guard, chain, graph, ask)
  if (outcome === 'resolved') expect(await run).toBe('served')
  else expect(await rejection(run)).toMatchObject({ class: 'auth_required' })
  expect(answered).toEqual([[outcome, reason]])
})

test('outside a graph the error surfaces as it is', async () => {
  const chain = [{ id: 'a', provider: 'one' }]
  const guard = heed({ candidates: chain, auth: () => 'surface' })
  const ask = () =>
    guard.execute(() => {
      throw producedError('auth_required')
    })
  expect(await rejection(new AuthInterrupts().run(guard, chain, {}, ask))).toMatchObject({ reason: 'auth_required' })
})
