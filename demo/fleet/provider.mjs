import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { dialects } from './dialects.mjs'

/**
 * Starts one fake provider on a free loopback port.
 *
 * @param {{ id: string, dialect: 'openai' | 'anthropic', models: Record<string, Function> }} options
 *   `models` holds a script per model.
 * @returns {Promise<{ baseUrl: string, requests: { candidate: string, atMs: number }[], close(): Promise<void> }>}
 *   `requests` is what the server itself saw, in order; `atMs` is its own monotonic clock.
 */
export async function startProvider({ id, dialect: dialectName, models }) {
  const dialect = dialects[dialectName]
  const requests = []

  const server = createServer(async (request, response) => {
    /** @type {any} */
    const payload = request.method === 'POST' ? await json(request) : {}
    const { model } = payload
    // Counted before anything can go wrong with the answer: what was received is what counts.
    requests.push({ candidate: `${id}/${model}`, atMs: performance.now() })
    const fault = request.url === dialect.path ? dialect.faultOf(payload, request.headers) : `No route ${request.url}`
    if (fault !== undefined) return reject(response, dialect, 400, fault)
    const script = models[model]
    if (script === undefined) return reject(response, dialect, 404, `The model ${model} does not exist`)
    const exchange = { dialect, payload, model, token: dialect.tokenOf(request.headers), response }
    await script(exchange)(exchange)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a fake provider got no port')

  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    requests,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function reject(response, dialect, status, message) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(dialect.refusalOf(message)))
}
