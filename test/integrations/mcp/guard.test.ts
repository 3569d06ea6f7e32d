import { type CallToolResult, McpError } from '@modelcontextprotocol/sdk/types.js'
import { isHeedError } from 'heed'
import { heedMcp, type McpCandidate, type McpOptions, trustAnnotations } from 'heed/integrations/mcp'
import { constant } from 'heed/strategies/backoff/constant'
import { afterEach, describe, expect, test } from 'vitest'
import { failsWith, says, serves, throws } from './steps.ts'
import { type Step, startToolServer, type ToolServer, type Transport } from './tool-server.ts'

const running: ToolServer[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

async function start(transport: Transport, ...steps: readonly Step[]): Promise<ToolServer> {
  const server = await startToolServer(transport, steps)
  running.push(server)
  return server
}

const guarding = (client: McpCandidate['client'], id: string, options: Partial<McpOptions> = {}) =>
  heedMcp({ candidates: [{ id, client }], backoff: constant(0), budget: false, ...options })

describe.each<Transport>(['memory', 'http'])('over %s', (transport) => {
  test('200 calls while the first server is down: 200 served, each its own, each attributed', async () => {
    const down = await start(transport, throws(-32603, { class: 'permanent' }))
    const up = await start(transport, (_extra, input) => says(JSON.stringify(input)))
    const tools = heedMcp({
      candidates: [
        { id: 'down', client: down.client },
        { id: 'up', client: up.client },
      ],
    })
    const heard = new Map<string, string[]>()
    tools.health.on('attempt', ({ callId, candidate }) => heard.set(callId, [...(heard.get(callId) ?? []), candidate]))
    tools.health.on('success', ({ callId, candidate }) => heard.get(callId)?.push(`served by ${candidate}`))
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, n) => tools.settleTool({ name: 'put', arguments: { n } })),
    )
    outcomes.forEach((outcome, n) => {
      expect(outcome).toMatchObject({
        status: 'completed',
        value: says(JSON.stringify({ n })),
        served: { candidate: { id: 'up', client: up.client } },
        attempts: [{ candidate: 'down', class: 'permanent' }, { candidate: 'up' }],
      })
    })
    expect([down.runs(), up.runs(), heard.size]).toEqual([200, 200, 200])
    expect(new Set([...heard.values()].map(String))).toEqual(new Set(['down,up,served by up']))
  })

  test('three layers make the attempts of one', async () => {
    const server = await start(transport, failsWith({ _meta: { class: 'transient' } }))
    const inner = guarding(server.client, 'inner')
    const outer = guarding(guarding(inner, 'middle'), 'outer')
    const error = await outer.callTool({ name: 'charge' }).catch((thrown: unknown) => thrown)
    expect(isHeedError(error) && [error.class, error.exhausted]).toEqual(['transient', true])
    expect(server.runs()).toBe(3)
  })

  test('a server that is guarded itself says so over the wire', async () => {
    const far = await start('memory', failsWith({ _meta: { class: 'transient' } }))
    const behind = guarding(far.client, 'behind')
    const near = await start(transport, async () => {
      try {
        return (await behind.callTool({ name: 'charge' })) as CallToolResult
      } catch (error) {
        throw new McpError(-32050, 'the tool behind this one is exhausted', error)
      }
    })
    const error = await guarding(near.client, 'front')
      .callTool({ name: 'charge' })
      .catch((thrown: unknown) => thrown)
    expect(isHeedError(error) && [error.class, error.reason]).toEqual(['transient', 'exhausted_below'])
    expect([near.runs(), far.runs()]).toEqual([1, 3])
  })

  test('annotations are believed only by those who say so', async () => {
    const broken: Step = () => {
      throw new Error('half way through')
    }
    const server = await start(transport, broken)
    const { tools: listed } = await server.client.listTools()
    const runsOf = async (name: string, options: Partial<McpOptions>): Promise<number> => {
      const before = server.runs()
      await guarding(server.client, 'one', options).settleTool({ name })
      return server.runs() - before
    }
    const trusting = { idempotent: trustAnnotations(listed) }
    expect(await runsOf('put', {})).toBe(1)
    expect(await runsOf('put', trusting)).toBe(3)
    expect(await runsOf('look', trusting)).toBe(3)
    expect(await runsOf('charge', trusting)).toBe(1)
    expect(await runsOf('unlisted', trusting)).toBe(1)
  })
})

test('a drop-in: the parameters, the schema and every option reach the client as they are, but for the signal', async () => {
  const calls: unknown[][] = []
  const client = {
    callTool: (...call: unknown[]) => {
      calls.push(call)
      return Promise.resolve(says('ok'))
    },
  } as McpCandidate['client']
  const { callTool } = guarding(client, 'one')
  const params = { name: 'charge', arguments: { cents: 5 }, _meta: { progressToken: 3 } }
  const request = {
    timeout: 7,
    maxTotalTimeout: 9,
    resetTimeoutOnProgress: true,
    resumptionToken: 't',
    onprogress: () => {},
  }
  await callTool(params)
  await callTool(params, undefined, request)
  expect(calls[0]).toEqual([params, undefined, { signal: expect.any(AbortSignal) }])
  expect(calls[1]).toEqual([params, undefined, { ...request, signal: expect.any(AbortSignal) }])
  expect(calls[1]?.[0]).toBe(params)
})

test('a client that connects anew serves the repeat', async () => {
  const [old, fresh] = [await start('memory', serves('old')), await start('memory', serves('fresh'))]
  await old.client.close()
  let client = old.client
  const reconnecting = { callTool: ((...call) => client.callTool(...call)) as McpCandidate['client']['callTool'] }
  const tools = guarding(reconnecting, 'one')
  tools.health.on('failure', () => {
    client = fresh.client
  })
  expect(await tools.callTool({ name: 'charge' })).toEqual(says('fresh'))
})

test('a resumption token is for one server', async () => {
  const [one, two] = [await start('memory', serves('one')), await start('memory', serves('two'))]
  const candidates = [one, two].map(({ client }, n) => ({ id: String(n), client }))
  const called = heedMcp({ candidates }).callTool({ name: 'charge' }, undefined, { resumptionToken: '7' })
  await expect(called).rejects.toThrow(/resumptionToken: resume with the client/)
  expect([one.runs(), two.runs()]).toEqual([0, 0])
})

test.each<[unknown, RegExp]>([
  [undefined, /heedMcp: candidates: give a list of \{ id, client \}/],
  [{ candidates: [{ id: 'a' }] }, /candidates\[0\]\.client: give a Client/],
  [{ candidates: [] }, /candidates: give at least one/],
  [{ candidates: [{ client: { callTool() {} } }] }, /candidates\[0\]\.id: give a name/],
  [
    { candidates: [{ id: 'a', client: { callTool() {} } }], idempotent: 'put' },
    /idempotent: give true, false, or a function/,
  ],
  [{ candidates: [{ id: 'a', client: { callTool() {} } }], retries: 3 }, /retries is not an option/],
])('wrong options are refused: %j', (options, message) => {
  expect(() => heedMcp(options as McpOptions)).toThrow(message)
  expect(() => heedMcp(options as McpOptions)).toThrow(TypeError)
})
