import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createClient } from '../../demo/client/client.mjs'
import { classifySocketLoss } from '../../demo/client/socket-loss.mjs'
import { startFleet } from '../../demo/fleet/fleet.mjs'
import { always } from '../../demo/fleet/scripts.mjs'
import { answer, cut, refuse, reset } from '../../demo/fleet/steps.mjs'

const MESSAGES = [{ role: 'user', content: 'hello' }]
const chainOf = (script: () => unknown) => [{ provider: 'p', dialect: 'openai' as const, model: 'm', script }]

/** One request through the client, to whatever it answers or throws. */
async function askOnce(script: () => unknown) {
  const fleet = await startFleet(chainOf(script))
  const client = createClient(() => 'token')
  try {
    return await client.ask({ candidate: fleet.candidates[0], idempotencyKey: 'k', abortSignal: undefined }, MESSAGES)
  } catch (error) {
    return error
  } finally {
    await client.close()
    await fleet.close()
  }
}

test('an answer is its text', async () => {
  expect(await askOnce(always(answer('well')))).toBe('well')
})

test.each([
  ['an error object', { error: { class: 'permanent' } }, { class: 'permanent' }],
  ['a flat body', { class: 'permanent' }, { class: 'permanent' }],
  ['a sentence for an error', { error: 'no' }, { error: 'no' }],
])('a refusal keeps %s', async (_, body, error) => {
  const failure = await askOnce(always(refuse({ status: 403, headers: {}, body })))
  expect(failure).toMatchObject({ name: 'RefusedByProvider', status: 403, error })
  expect(classifySocketLoss(failure)).toBeUndefined()
})

test('a connection that was refused never carried the request', async () => {
  const closed = createServer()
  await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening))
  const { port } = closed.address() as AddressInfo
  await new Promise((done) => closed.close(done))
  const client = createClient(() => 'token')
  const candidate = { dialect: 'openai', provider: 'p', model: 'm', baseUrl: `http://127.0.0.1:${port}` }
  const failure = await client
    .ask({ candidate, idempotencyKey: 'k', abortSignal: undefined }, MESSAGES)
    .catch((error: unknown) => error)
  await client.close()
  expect(classifySocketLoss(failure)).toEqual({ class: 'transient' })
})

test('a connection that was reset may have carried it', async () => {
  expect(classifySocketLoss(await askOnce(always(reset())))).toEqual({ class: undefined, ambiguous: true })
})

test('so may one that was closed in the middle of the answer', async () => {
  const fleet = await startFleet(chainOf(always(cut('one two', { afterTokens: 1 }))))
  const client = createClient(() => 'token')
  const attempt = { candidate: fleet.candidates[0], idempotencyKey: 'k', abortSignal: undefined }
  let failure: unknown
  try {
    for await (const _ of await client.open(attempt, MESSAGES));
  } catch (error) {
    failure = error
  }
  await client.close()
  await fleet.close()
  expect(classifySocketLoss(failure)).toEqual({ class: undefined, ambiguous: true })
})
