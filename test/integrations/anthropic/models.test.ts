import Anthropic from '@anthropic-ai/sdk'
import { heedAnthropic, heedMiddleware, type MiddlewareCandidate } from 'heed/integrations/anthropic'
import { describe, expect, test } from 'vitest'
import { refusals } from '../kit/refusals.ts'
import type { Refusal } from '../kit/steps.ts'

const limited: Refusal = { ...refusals.messages.transientWithHint, headers: { 'retry-after': '100' } }
const { permanent, authRequired } = refusals.messages
const served: Refusal = { status: 200, body: { type: 'message', content: [{ type: 'text', text: 'Hi' }], data: [] } }

/** A client whose server refuses some models, with what it was asked: the model, or the path of what has none. */
function clientOf(refused: Readonly<Record<string, Refusal>>, options: ConstructorParameters<typeof Anthropic>[0]) {
  const asked: string[] = []
  const client = new Anthropic({
    apiKey: 'sk-ant-kit',
    maxRetries: 0,
    logLevel: 'off',
    ...options,
    fetch: async (url, init) => {
      const { model = new URL(String(url)).pathname } = JSON.parse(String(init?.body ?? '{}')) as { model?: string }
      asked.push(model)
      const { status, headers, body } = refused[model] ?? served
      return Response.json(body, { status, ...(headers === undefined ? undefined : { headers }) })
    },
  })
  return { client, asked }
}

const hello = { max_tokens: 64, messages: [{ role: 'user' as const, content: 'Hello' }] }

describe('what a middleware learns of one model', () => {
  function heeding(refused: Readonly<Record<string, Refusal>>, candidates?: readonly MiddlewareCandidate[]) {
    const middleware = heedMiddleware({ candidates, backoff: () => 0 })
    const ids: string[] = []
    middleware.health.on('attempt', ({ candidate }) => ids.push(candidate))
    return { ...clientOf(refused, { middleware: [middleware] }), middleware, ids }
  }

  test('counts for that model alone: the others and all other endpoints go on', async () => {
    const { client, asked, ids, middleware } = heeding({ 'claude-opus': limited })
    const opus = () => client.messages.create({ ...hello, model: 'claude-opus' })
    await expect(opus()).rejects.toMatchObject({ reason: 'wait_too_long' })
    await client.messages.create({ ...hello, model: 'claude-haiku' })
    await client.models.list()
    await expect(opus()).rejects.toMatchObject({ reason: 'wait_too_long' })
    expect(asked).toEqual(['claude-opus', 'claude-haiku', '/v1/models'])
    expect(ids).toEqual(['anthropic/claude-opus', 'anthropic/claude-haiku', 'anthropic'])
    expect(middleware.health.snapshot().cooling).toMatchObject([{ candidate: 'anthropic/claude-opus' }])
  })

  test('is named by the id that was given and the model', async () => {
    const { client, ids } = heeding({}, [{ id: 'mine' }])
    await client.messages.create({ ...hello, model: 'claude-opus' })
    await client.models.list()
    expect(ids).toEqual(['mine/claude-opus', 'mine'])
  })

  test('does not spend the retries of another', async () => {
    const { transient } = refusals.messages
    const { client, asked } = heeding({ 'claude-opus': transient, 'claude-haiku': transient })
    for (const model of ['claude-opus', 'claude-opus', 'claude-haiku']) {
      await client.messages.create({ ...hello, model }).catch(() => undefined)
    }
    expect(asked.filter((model) => model === 'claude-haiku')).toHaveLength(3)
  })

  test('is no news of a key, which all models share', async () => {
    const { client, asked, middleware } = heeding({ 'claude-opus': authRequired })
    middleware.health.on('auth_prompt', ({ provider }) => middleware.auth.decline(provider))
    await client.messages.create({ ...hello, model: 'claude-opus' }).catch(() => undefined)
    await expect(client.messages.create({ ...hello, model: 'claude-haiku' })).rejects.toMatchObject({
      class: 'auth_required',
    })
    expect(asked).toEqual(['claude-opus'])
  })

  test('a fallback that is the model asked for is asked once, in its first place', async () => {
    const candidates = [{}, { model: 'claude-opus' }, { model: 'claude-haiku' }]
    const { client, asked, ids } = heeding({ 'claude-haiku': permanent, 'claude-opus': permanent }, candidates)
    await client.messages.create({ ...hello, model: 'claude-haiku' }).catch(() => undefined)
    expect(asked).toEqual(['claude-haiku', 'claude-opus'])
    expect(ids).toEqual(['anthropic/claude-haiku', 'anthropic/claude-opus'])
  })

  test('what has no model is no other model’s to serve', async () => {
    const candidates = [{ model: 'claude-opus' }, { model: 'claude-haiku' }]
    const { client, asked, ids } = heeding({ '/v1/models': permanent, 'claude-opus': limited }, candidates)
    await client.messages.create({ ...hello, model: '' })
    await expect(client.models.list()).rejects.toMatchObject({ reason: 'all_permanent' })
    expect(asked).toEqual(['claude-opus', 'claude-haiku', '/v1/models'])
    expect(ids).toEqual(['anthropic/claude-opus', 'anthropic/claude-haiku', 'anthropic'])
  })
})

test('clients too are limited by the model that a body asks for', async () => {
  const { client, asked } = clientOf({ 'claude-opus': limited }, {})
  const { messages, served: servedBy } = heedAnthropic({ candidates: [{ client }] })
  await expect(messages.create({ ...hello, model: 'claude-opus' })).rejects.toMatchObject({ reason: 'wait_too_long' })
  const message = await messages.create({ ...hello, model: 'claude-haiku' })
  expect(servedBy(message)?.candidate.id).toBe('anthropic/claude-haiku')
  expect(asked).toEqual(['claude-opus', 'claude-haiku'])
})
