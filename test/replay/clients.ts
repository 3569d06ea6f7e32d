import type { Producer } from 'heed'
import { classInterceptor, fetchWithClass } from 'heed/fetch'
import { type Agent, request, fetch as undiciFetch } from 'undici'

/** Asks an address and answers the body of a success. */
export interface Client {
  text(url: string, abortSignal: AbortSignal): Promise<string>
  body(url: string, abortSignal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
}

/** Every way to ask: each throws what a guard reads. */
export const clients: Readonly<Record<string, (producer: Producer | undefined, agent: Agent) => Client>> = {
  'fetchWithClass around the global fetch': (producer) => {
    const fetch = fetchWithClass({ producer })
    const ask = (url: string, signal: AbortSignal): Promise<Response> => fetch(url, { signal })
    return {
      text: async (url, signal) => (await ask(url, signal)).text(),
      body: async (url, signal) => (await ask(url, signal)).body as unknown as AsyncIterable<Uint8Array>,
    }
  },
  'fetchWithClass around undici’s fetch': (producer, dispatcher) => {
    const fetch = fetchWithClass({ producer, fetch: undiciFetch })
    return {
      text: async (url, signal) => (await fetch(url, { signal, dispatcher })).text(),
      body: async (url, signal) => (await fetch(url, { signal, dispatcher })).body as AsyncIterable<Uint8Array>,
    }
  },
  'undici’s request through the interceptor': (producer, agent) => {
    const dispatcher = agent.compose(classInterceptor({ producer }))
    return {
      text: async (url, signal) => (await request(url, { signal, dispatcher })).body.text(),
      body: async (url, signal) => (await request(url, { signal, dispatcher })).body,
    }
  },
  'undici’s request, its facts thrown': (_producer, dispatcher) => ({
    text: async (url, signal) => {
      const { statusCode, headers, body } = await request(url, { signal, dispatcher })
      const text = await body.text()
      if (statusCode >= 400) throw { status: statusCode, headers, body: text }
      return text
    },
    body: async (url, signal) => (await request(url, { signal, dispatcher })).body,
  }),
}
