/**
 * Tool calls through replicas of an MCP server. What states its class is obeyed; a call that may have run is not sent
 * again, unless its tool is idempotent.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import { heedMcp, trustAnnotations } from 'heed/integrations/mcp'
import { constant } from 'heed/strategies/backoff/constant'

const runs: string[] = []

/** A server of two tools: one that only looks, and one that has an effect. */
async function connect(replica: string, run: (tool: string) => string): Promise<Client> {
  const server = new Server({ name: replica, version: '1.0.0' }, { capabilities: { tools: {} } })
  const inputSchema = { type: 'object' as const }
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      { name: 'balance', inputSchema, annotations: { readOnlyHint: true } },
      { name: 'refund', inputSchema },
    ],
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    runs.push(`${params.name} at ${replica}`)
    return { content: [{ type: 'text', text: run(params.name) }] }
  })
  const client = new Client({ name: 'example', version: '1.0.0' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(far), client.connect(near)])
  return client
}

const east = await connect('east', () => {
  // As a tool fails that says nothing of it: whether the money is back, nobody knows.
  if (runs.length < 3) throw new Error('lost the database')
  throw new McpError(-32050, 'closed for maintenance', { class: 'permanent' })
})
const west = await connect('west', (tool) => `${tool} done`)

const { tools } = await east.listTools()
const { callTool } = heedMcp({
  candidates: [
    { id: 'east', provider: 'bank', client: east },
    { id: 'west', provider: 'bank', client: west },
  ],
  idempotent: trustAnnotations(tools), // hints of a server that you trust; without this no tool is idempotent
  attempts: { perTarget: 1 },
  backoff: constant(5),
})

const show = async (name: string): Promise<void> => {
  const before = runs.length
  const said = await callTool({ name }).then(
    ({ content }) => JSON.stringify(content),
    (error: unknown) => `thrown: ${(error as McpError).code}`,
  )
  console.log(`${said} after ${runs.slice(before).join(', ')}`)
}

await show('refund') // => thrown: -32603 after refund at east
await show('balance') // => [{"type":"text","text":"balance done"}] after balance at east, balance at west
await show('refund') // => [{"type":"text","text":"refund done"}] after refund at east, refund at west
