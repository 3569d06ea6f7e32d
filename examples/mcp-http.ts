/**
 * MCP over HTTP: of a refusal the SDK's transport keeps the status and drops the headers, `Retry-After` among them. Give
 * the transport heed's `fetch`, and the server's own wait is a floor as it is everywhere.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { fetchWithClass } from 'heed/fetch'
import { heedMcp } from 'heed/integrations/mcp'
import { mcp } from 'heed/producers/mcp'

const busy = (): Response => new Response('Too Many Requests', { status: 429, headers: { 'retry-after': '70' } })
const done = (id: unknown): Response => answer(id, { content: [{ type: 'text', text: 'done' }] })

const { settleTool } = heedMcp({
  candidates: [
    { id: 'east', client: await connect(fetchWithClass({ producer: mcp, fetch: serverOf(busy) })) },
    { id: 'west', client: await connect(fetchWithClass({ producer: mcp, fetch: serverOf(done) })) },
  ],
})
const { attempts } = await settleTool({ name: 'search' })
for (const { candidate, class: stated = 'served', retry_after_secs: secs } of attempts) {
  console.log(candidate, stated, secs === undefined ? '' : `not before ${secs} s`)
}
// => east transient not before 70 s
// => west served

async function connect(fetch: typeof globalThis.fetch): Promise<Client> {
  const client = new Client({ name: 'example', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }) as never)
  return client
}

/** Stands for a server: it greets its client, and answers calls as it is told. */
function serverOf(call: (id: unknown) => Response): typeof globalThis.fetch {
  return async (_url, init) => {
    if (init?.method !== 'POST') return new Response(null, { status: 405 })
    const { id, method, params } = JSON.parse(String(init.body))
    if (method === 'tools/call') return call(id)
    if (method !== 'initialize') return new Response(null, { status: 202 })
    const { protocolVersion } = params
    return answer(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } })
  }
}

function answer(id: unknown, result: object): Response {
  return Response.json({ jsonrpc: '2.0', id, result })
}
