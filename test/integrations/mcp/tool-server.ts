import { once } from 'node:events'
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** What a tool does when it is run for the n-th time; the last step serves all runs that follow. */
export type Step = (extra: Extra, input: unknown) => CallToolResult | Promise<CallToolResult>

/** What the HTTP server does with the n-th `tools/call` before MCP sees it; nothing lets it through. */
export type Door = (response: ServerResponse, request: IncomingMessage) => void

/** A real MCP server and a real client of it, and what was seen at the server. */
export interface ToolServer {
  readonly client: Client
  /** Tools run. */
  readonly runs: () => number
  /** Runs that were told of `notifications/cancelled`. */
  readonly cancelled: () => number
  /** `tools/call` requests that came over HTTP, those that never reached a tool included. */
  readonly requests: () => number
  /** Takes the server down under the client. */
  readonly stop: () => Promise<void>
  readonly close: () => Promise<void>
}

export type Transport = 'memory' | 'http'

const TOOLS: readonly Tool[] = [
  { name: 'charge', inputSchema: { type: 'object' } },
  { name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'put', inputSchema: { type: 'object' }, annotations: { idempotentHint: true, destructiveHint: true } },
  {
    name: 'typed',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  },
]

/** Starts a server whose tools do these steps. */
export async function startToolServer(
  transport: Transport,
  steps: readonly Step[],
  doors: readonly (Door | undefined)[] = [],
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<ToolServer> {
  let runs = 0
  let cancelled = 0
  let requests = 0
  const tools = (): Server => {
    const server = new Server({ name: 'tools', version: '1.0.0' }, { capabilities: { tools: {} } })
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...TOOLS] }))
    server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
      const step = steps[Math.min(runs, steps.length - 1)]
      runs += 1
      extra.signal.addEventListener('abort', () => {
        cancelled += 1
      })
      return step?.(extra, params.arguments) ?? { content: [] }
    })
    return server
  }
  const client = new Client({ name: 'test', version: '1.0.0' })
  const seen = { client, runs: () => runs, cancelled: () => cancelled, requests: () => requests }
  if (transport === 'memory') {
    const [near, far] = InMemoryTransport.createLinkedPair()
    await Promise.all([tools().connect(far), client.connect(near)])
    return { ...seen, stop: () => client.close(), close: () => client.close() }
  }
  const http = createServer(async (request, response) => {
    const body = request.method === 'POST' ? JSON.parse(await text(request)) : undefined
    if (body?.method === 'tools/call') {
      const door = doors[Math.min(requests, doors.length - 1)]
      requests += 1
      if (door !== undefined) return door(response, request)
    }
    await handle(request, response, body)
  })
  // One session: a test's client has one, and a second `initialize` would be another test's.
  const session = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'session' })
  await tools().connect(session as never)
  const handle = (request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> =>
    session.handleRequest(request, response, body)
  await listening(http)
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }) as never)
  const stop = async (): Promise<void> => {
    await session.close()
    http.closeAllConnections()
    if (!http.listening) return
    http.close()
    await once(http, 'close')
  }
  const close = async (): Promise<void> => {
    await client.close()
    await stop()
  }
  return { ...seen, stop, close }
}

async function listening(http: HttpServer): Promise<void> {
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
}
