import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { always } from '../../demo/fleet/scripts.mjs'
import { answer } from '../../demo/fleet/steps.mjs'
import { play } from '../../demo/stage.mjs'

const hands = { heard: () => {}, signIn: async () => {}, plantMismatch: false }

test('a scenario that does not end as it should is a fault, and its fleet is closed all the same', async () => {
  let baseUrl = ''
  const result = await play(
    {
      name: 'wrong',
      title: 'Wrong',
      story: [],
      chain: () => [{ provider: 'p', dialect: 'openai', model: 'm', script: always(answer('well')) }],
      run: async ({ settle, candidates }) => {
        baseUrl = candidates[0].baseUrl
        const outcome = await settle([{ role: 'user', content: 'hello' }])
        throw new Error(`it was ${outcome.status}`)
      },
    },
    hands,
  )
  expect(result.fault).toContain('it was completed')
  expect(result.ledger).toEqual([{ candidate: 'p/m', announced: 1, reported: 1, received: 1, equal: true }])
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
  const [error] = await once(socket, 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
})
