import { ErrorCode, UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js'
import { type HeedError, isHeedError } from 'heed'
import { heedMcp } from 'heed/integrations/mcp'
import { describe, expect, test } from 'vitest'
import { caught, pair, quick, start } from './pair.ts'
import { failsWith, says, serves, throws } from './steps.ts'
import type { Step, Transport } from './tool-server.ts'

describe.each<Transport>(['memory', 'http'])('over %s', (transport) => {
  test.each<[string, Step]>([
    ['a JSON-RPC error', throws(-32000, { class: 'transient', retry_after_secs: 0 })],
    ['a JSON-RPC error, in detail', throws(-32603, { detail: { class: 'transient' } })],
    ['structuredContent', failsWith({ structuredContent: { class: 'transient' } })],
    ['structuredContent, in error', failsWith({ structuredContent: { error: { class: 'transient' } } })],
    ['_meta', failsWith({ _meta: { class: 'transient' } })],
    ['JSON in a text block', failsWith(says('{"error":{"class":"transient","message":"busy"}}'))],
  ])('transient in %s is repeated at the same server', async (_place, step) => {
    const { tools, runs } = await pair(transport, [step, serves('one')])
    expect(await tools.callTool({ name: 'charge' })).toEqual(says('one'))
    expect(runs()).toEqual([2, 0])
  })

  test.each<[string, Step]>([
    ['data.class', throws(-32603, { class: 'permanent' })],
    ['_meta', failsWith({ _meta: { class: 'permanent' } })],
    ['the number', throws(ErrorCode.InvalidParams)],
    ['the number of a server that has no such method', throws(ErrorCode.MethodNotFound)],
  ])('permanent by %s goes on at once', async (_place, step) => {
    const { tools, runs } = await pair(transport, [step])
    expect(await tools.callTool({ name: 'charge' })).toEqual(says('two'))
    expect(runs()).toEqual([1, 1])
  })

  test.each<[string, Step]>([
    ['without a class', failsWith({})],
    ['of a class that is not in the set', failsWith({ structuredContent: { class: 'sky_fell' } })],
    ['with JSON of its own', failsWith(says('{"class":"Mammalia","error":{"class":7}}'))],
  ])('an isError result %s is the answer', async (_kind, step) => {
    const { tools, runs } = await pair(transport, [step])
    const answer = await tools.callTool({ name: 'charge' })
    expect(answer).toMatchObject({ isError: true })
    expect(answer).toEqual(await step({} as never, undefined))
    expect(runs()).toEqual([1, 0])
  })

  test('a result that is no error may be about classes', async () => {
    const lesson = {
      ...says('{"class":"permanent"}'),
      structuredContent: { class: 'transient' },
      _meta: { class: 'auth' },
    }
    const { tools, runs } = await pair(transport, [() => lesson])
    expect(await tools.callTool({ name: 'charge' })).toEqual(lesson)
    expect(runs()).toEqual([1, 0])
  })

  test('an unknown class of a JSON-RPC error reaches the caller as the SDK threw it', async () => {
    const { tools, runs } = await pair(transport, [throws(-32050, { class: 'sky_fell' })])
    expect(await caught(tools.callTool({ name: 'charge' }))).toMatchObject({
      code: -32050,
      data: { class: 'sky_fell' },
    })
    expect(runs()).toEqual([1, 0])
  })

  test('an address that the user must open reaches the caller, who opens it and calls again', async () => {
    const elicitations = [
      { mode: 'url' as const, elicitationId: '7', url: 'https://acme.test/login', message: 'Sign in' },
    ]
    const { tools, runs } = await pair(
      transport,
      [
        () => {
          throw new UrlElicitationRequiredError(elicitations, 'Unauthorized')
        },
      ],
      { idempotent: true },
    )
    const error = await caught(tools.callTool({ name: 'charge' }))
    expect(error).toBeInstanceOf(UrlElicitationRequiredError)
    expect(error).toMatchObject({ elicitations })
    expect(runs()).toEqual([1, 0])
  })

  test('what is made of several failures keeps the last, and shows none of its text', async () => {
    const [one, two] = [
      await start(transport, throws(-32602)),
      await start(transport, failsWith({ _meta: { class: 'permanent' } })),
    ]
    const tools = heedMcp({
      ...quick,
      candidates: [
        { id: 'one', client: one.client },
        { id: 'two', client: two.client },
      ],
    })
    const error = (await caught(tools.callTool({ name: 'charge' }))) as HeedError
    expect(isHeedError(error) && error.reason).toBe('all_permanent')
    expect(error.cause).toMatchObject({ isError: true, content: [{ text: 'It did not work' }] })
    expect(JSON.stringify(error)).not.toMatch(/secret|did not work/)
  })

  test('a refused credential blocks the provider, and the call goes on once somebody has signed in', async () => {
    const server = await start(transport, failsWith({ _meta: { class: 'auth_required' } }), serves('welcome'))
    const tools = heedMcp({ candidates: [{ id: 'crm', provider: 'acme', client: server.client }] })
    tools.health.on('auth_prompt', ({ provider }) => tools.auth.resolve(provider))
    expect(await tools.callTool({ name: 'charge' })).toEqual(says('welcome'))
    expect(server.runs()).toBe(2)
  })
})
