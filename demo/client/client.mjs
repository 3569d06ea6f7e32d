import { Agent, request } from 'undici'
import { RefusedByProvider } from './refused.mjs'
import { readEvents } from './server-sent-events.mjs'
import { wires } from './wires.mjs'

/**
 * A plain client over undici: what somebody has before heed comes in. `ask` and `open` are what a guard calls; each
 * makes exactly one request, to the attempt's candidate.
 *
 * @param {(provider: string) => string} tokenFor Read for each request, so that a new sign-in is seen at once.
 */
export function createClient(tokenFor) {
  const dispatcher = new Agent()

  async function post({ candidate, abortSignal, idempotencyKey }, messages, stream) {
    const wire = wires[candidate.dialect]
    const { statusCode, body } = await request(`${candidate.baseUrl}${wire.path}`, {
      dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
        ...wire.headers(tokenFor(candidate.provider)),
      },
      body: JSON.stringify(wire.payload(candidate.model, messages, stream)),
      signal: abortSignal,
    })
    if (statusCode >= 200 && statusCode < 300) return body
    throw new RefusedByProvider(statusCode, await body.json())
  }

  return {
    /** The text of a whole answer. */
    ask: async (attempt, messages) => {
      const body = await post(attempt, messages, false)
      return wires[attempt.candidate.dialect].textOf(await body.json())
    },
    /** The items of a streamed answer. */
    open: async (attempt, messages) => readEvents(await post(attempt, messages, true)),
    close: () => dispatcher.close(),
  }
}
