import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { type AdapterSample, adapterConformance } from 'heed/conformance'
import { mcp } from 'heed/producers/mcp'
import { describe, expect, test } from 'vitest'

const posting = (status: number, body: string): StreamableHTTPError =>
  new StreamableHTTPError(status, `Error POSTing to endpoint: ${body}`)
const overSse = (status: number, code: string, message: string): Error =>
  new Error(
    `Error POSTing to endpoint (HTTP ${status}): {"jsonrpc":"2.0","error":{"code":${code},"message":"${message}"}}`,
  )
const data = { class: 'transient', retry_after_secs: 3 }

const samples: readonly AdapterSample[] = [
  { name: 'stated in data', raw: new McpError(-32603, 'x', data), class: 'transient', retryAfterSecs: 3 },
  {
    name: 'in an envelope',
    raw: { jsonrpc: '2.0', id: 1, error: { code: -32050, data } },
    class: 'transient',
    retryAfterSecs: 3,
  },
  { name: 'the old spelling', raw: new McpError(-32050, 'x', { class: 'auth' }), class: 'auth_required' },
  {
    name: 'stated beside a number of the client',
    raw: new McpError(-32001, 'x', { class: 'permanent' }),
    class: 'permanent',
  },
  {
    name: 'in a cause',
    raw: new Error('tool failed', { cause: new McpError(-32050, 'x', { class: 'permanent' }) }),
    class: 'permanent',
  },
  {
    name: 'a result',
    raw: { isError: true, content: [], _meta: { class: 'context_overflow' } },
    class: 'context_overflow',
  },
  { name: 'connection closed', raw: new McpError(-32000, 'Connection closed'), class: undefined, ambiguous: true },
  { name: 'request timeout', raw: new McpError(-32001, 'Request timed out'), class: undefined, ambiguous: true },
  { name: 'not connected', raw: new Error('Not connected'), class: 'transient' },
  {
    name: 'a socket that is not',
    raw: Object.assign(new Error('ENOTCONN: socket is not connected'), { code: 'ENOTCONN' }),
    class: undefined,
    ambiguous: true,
  },
  { name: 'URL elicitation', raw: new McpError(-32042, 'Unauthorized', { elicitations: [] }), class: undefined },
  {
    name: 'tool output',
    raw: new McpError(-32600, 'Tool t has an output schema but did not return structured content'),
    class: undefined,
    ambiguous: true,
  },
  { name: 'tool input', raw: new McpError(-32602, 'Invalid arguments for tool t'), class: 'permanent' },
  {
    name: 'session',
    raw: posting(404, '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}'),
    class: 'transient',
  },
  {
    name: '503',
    raw: posting(503, '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Draining"},"id":null}'),
    class: 'transient',
  },
  { name: '404', raw: posting(404, 'Not Found'), class: 'permanent' },
  { name: '503 over SSE', raw: overSse(503, '-32000', 'Draining'), class: 'transient' },
  { name: '404 over SSE', raw: overSse(404, '-32001', 'No such endpoint'), class: 'permanent' },
  { name: '401 over SSE', raw: overSse(401, '-32001', 'Unauthorized'), class: 'auth_required' },
]

const answers = [
  { content: [], structuredContent: { class: 'permanent', error: { class: 'transient' } } },
  { content: [{ type: 'text', text: '{"class":"transient"}' }], isError: false },
  { content: [{ type: 'text', text: 'no such file' }], isError: true },
]

describe('heed/producers/mcp', () => {
  for (const { name, run } of adapterConformance(mcp, { samples, quota: false, answers })) test(name, run)

  test('a class that is not in the set is read as it is', () => {
    const env = { nowMs: 0 }
    expect(mcp.classify(new McpError(-32050, 'x', { class: 'sky_fell' }), env)?.class).toBe('sky_fell')
    expect(mcp.inspect({ isError: true, structuredContent: { class: 'sky_fell' } }, env)?.class).toBe('sky_fell')
  })

  test('where the class is not in the set, the number may say more', () => {
    expect(mcp.classify(new McpError(-32602, 'x', { class: 'sky_fell' }), { nowMs: 0 })?.class).toBe('permanent')
  })

  test('only so much of a result is looked at', () => {
    const told = { type: 'text', text: '{"class":"permanent"}' }
    const said = (blocks: number): unknown =>
      mcp.inspect({ isError: true, content: [...Array(blocks).fill({ type: 'text', text: 'no' }), told] }, { nowMs: 0 })
    expect(said(7)).toMatchObject({ class: 'permanent' })
    expect(said(8)).toBeUndefined()
    const long = `{"class":"permanent","padding":"${'x'.repeat(20_000)}"}`
    expect(mcp.inspect({ isError: true, content: [{ type: 'text', text: long }] }, { nowMs: 0 })).toBeUndefined()
  })
})
