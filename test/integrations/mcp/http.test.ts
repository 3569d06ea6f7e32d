import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { heedMcp, type McpOptions } from 'heed/integrations/mcp'
import { surface } from 'heed/strategies/auth/surface'
import { constant } from 'heed/strategies/backoff/constant'
import { afterEach, expect, test } from 'vitest'
import { answers, cuts, refusal, says, serves, statedRefusal } from './steps.ts'
import { type Door, startToolServer, type ToolServer } from './tool-server.ts'

const running: ToolServer[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

async function start(doors: readonly (Door | undefined)[], text: string): Promise<ToolServer> {
  const server = await startToolServer('http', [serves(text)], doors)
  running.push(server)
  return server
}

/** A server that answers its first call so and the next ones well, and a replica. */
async function refusing(door: Door, options: Partial<McpOptions> = {}) {
  const [one, two] = [await start([door, undefined], 'one'), await start([], 'two')]
  const tools = heedMcp({
    candidates: [
      { id: 'one', client: one.client },
      { id: 'two', client: two.client },
    ],
    backoff: constant(0),
    auth: surface,
    ...options,
  })
  const outcome = await tools.settleTool({ name: 'charge' })
  expect(one.requests() + two.requests()).toBe(outcome.attempts.length)
  const requests = [one.requests(), two.requests()]
  return { outcome, requests, value: 'value' in outcome ? outcome.value : undefined }
}

test.each<[string, Door]>([
  ['429', answers(429, 'Too Many Requests')],
  ['503', answers(503)],
  ['503 with a number that the client itself uses', answers(503, refusal(-32000, 'Draining'))],
  ['404 of a session that the server has forgotten', answers(404, refusal(-32001, 'Session not found'))],
  ['404 of one without a word of it', answers(404)],
  ['404 of one with an empty object', answers(404, '{}')],
  ['404 of one in other words', answers(404, refusal(-32001, 'Not Found'))],
  ['400 of a server that has restarted', answers(400, refusal(-32000, 'Bad Request: No valid session ID provided'))],
  ['400 of a server that was never greeted', answers(400, refusal(-32000, 'Bad Request: Server not initialized'))],
])('%s is repeated: the tool has not run', async (_name, door) => {
  const { value, requests } = await refusing(door)
  expect(value).toEqual(says('one'))
  expect(requests).toEqual([2, 0])
})

test.each<[string, Door]>([
  ['403', answers(403, 'Forbidden')],
  ['404 that says what is missing', answers(404, refusal(-32601, 'Method not found'))],
  ['404 that states its class', answers(404, statedRefusal('permanent'))],
  ['406', answers(406, refusal(-32000, 'Not Acceptable'))],
])('%s goes on at once', async (_name, door) => {
  const { value, requests } = await refusing(door)
  expect(value).toEqual(says('two'))
  expect(requests).toEqual([1, 1])
})

test('404 goes on at once where nobody can know of a session', async () => {
  const sent: string[] = []
  const missing = (id: string, transport?: { readonly sessionId?: string }) => ({
    id,
    client: {
      transport,
      callTool: () => {
        sent.push(id)
        return Promise.reject(new StreamableHTTPError(404, 'Error POSTing to endpoint: '))
      },
    },
  })
  const candidates = [missing('no transport'), missing('no session', {}), missing('session', { sessionId: 's' })]
  await heedMcp({ candidates, backoff: constant(0) }).settleTool({ name: 'charge' })
  expect(sent).toEqual(['no transport', 'no session', 'session', 'session', 'session'])
})

test('401 asks for a credential', async () => {
  const { outcome, requests } = await refusing(answers(401, refusal(-32001, 'Unauthorized')))
  expect(outcome).toMatchObject({ status: 'suspended', class: 'auth_required' })
  expect(requests).toEqual([1, 0])
})

test('a login that the SDK could not finish asks for a credential', async () => {
  const client = { callTool: () => Promise.reject(new UnauthorizedError()) }
  const outcome = await heedMcp({ candidates: [{ id: 'crm', client }], auth: surface }).settleTool({ name: 'charge' })
  expect(outcome).toMatchObject({ status: 'suspended', class: 'auth_required', attempts: [{ class: 'auth_required' }] })
})

test.each<[string, Door]>([
  ['500', answers(500, refusal(-32603, 'Internal server error'))],
  ['502', answers(502, '<html>Bad Gateway</html>')],
  ['504', answers(504)],
  ['a cut connection', cuts],
])('after %s the tool may have run', async (_name, door) => {
  const once = await refusing(door)
  expect(once.outcome.status).toBe('failed')
  expect(once.requests).toEqual([1, 0])

  const again = await refusing(door, { idempotent: true })
  expect(again.value).toEqual(says('one'))
  expect(again.requests).toEqual([2, 0])
})

test('the SSE transport writes the status into its words, and means the same by it', async () => {
  let sent = 0
  const callTool = (): Promise<never> => {
    sent += 1
    return Promise.reject(new Error('Error POSTing to endpoint (HTTP 504): upstream request timeout'))
  }
  const outcome = await heedMcp({ candidates: [{ id: 'one', client: { callTool } }] }).settleTool({ name: 'charge' })
  expect([outcome.status, sent]).toEqual(['failed', 1])
})

test('an answer that is no MCP is nobody knows what', async () => {
  const { outcome, requests } = await refusing((response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(),
  )
  expect(outcome).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('content type') } })
  expect(requests).toEqual([1, 0])
})

test('a server that is down has run nothing', async () => {
  const [one, two] = [await start([], 'one'), await start([], 'two')]
  await one.stop()
  // A request on a connection that was open is of the other kind, which may have been sent.
  const refused = (): Promise<boolean> =>
    one.client.ping().then(
      () => false,
      (error: { cause?: { code?: string } }) => error.cause?.code === 'ECONNREFUSED',
    )
  while (!(await refused()));
  const tools = heedMcp({
    candidates: [
      { id: 'one', client: one.client },
      { id: 'two', client: two.client },
    ],
    backoff: constant(0),
    attempts: { perTarget: 2 },
  })
  const outcome = await tools.settleTool({ name: 'charge' })
  expect(outcome).toMatchObject({ status: 'completed', value: says('two') })
  expect(outcome.attempts.map((each) => `${each.candidate} ${each.class}`)).toEqual([
    'one transient',
    'one transient',
    'two undefined',
  ])
})
