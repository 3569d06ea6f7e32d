import { Writable } from 'node:stream'
import { type Dispatcher, fetch, request, stream } from 'undici'

/** What a client needs of an attempt. */
export interface Ask {
  readonly url: string
  readonly signal: AbortSignal
  readonly dispatcher: Dispatcher
}

/** Asks and reads the whole body; an answer that is no success is thrown as the body states it. */
export type Client = (ask: Ask) => Promise<string>

/** undici's three ways to ask. */
export const clients: Readonly<Record<'fetch' | 'request' | 'stream', Client>> = {
  fetch: async ({ url, ...options }) => {
    const response = await fetch(url, options)
    if (!response.ok) throw await response.json()
    return response.text()
  },
  request: async ({ url, ...options }) => {
    const { statusCode, body } = await request(url, options)
    if (statusCode >= 400) throw await body.json()
    return body.text()
  },
  stream: async ({ url, ...options }) => {
    const parts: Buffer[] = []
    let status = 0
    await stream(url, { ...options, method: 'GET' }, ({ statusCode }) => {
      status = statusCode
      return new Writable({
        write: (part: Buffer, _encoding, done) => {
          parts.push(part)
          done()
        },
      })
    })
    const text = Buffer.concat(parts).toString()
    if (status >= 400) throw JSON.parse(text)
    return text
  },
}
