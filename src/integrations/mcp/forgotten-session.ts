import { mcp } from '../../producers/mcp.ts'
import { readClassification } from '../../wire/read-classification.ts'
import { isObject } from '../kit/is-object.ts'

/** What shows the session that its requests carry, as the SDK's `Client` does once the server has given it one. */
export interface ShowsSession {
  /** Read before each attempt. @default not known: then a bare 404 is of the address, and no session is */
  readonly transport?: { readonly sessionId?: string | undefined } | undefined
}

/** The brand of `HttpError`, by which copies of the package know each other's. */
const HTTP_ERROR = Symbol.for('heed.http-error')

const forgotten = new WeakSet<object>()

/**
 * Calls, and remembers where it is the session that a 404 is of: the specification has no other sign of one that the
 * server forgot, whatever the body. Only here is it known that the request carried one; its answer does not say so.
 */
export async function inSession<T>(client: ShowsSession, call: () => Promise<T>): Promise<T> {
  const carried = typeof client.transport?.sessionId === 'string'
  try {
    return await call()
  } catch (error) {
    if (carried && isObject(error) && isBare404(error)) {
      forgotten.add(error)
      // By a fetch of heed's the class is on the error already, and would stand above what is read here.
      if (HTTP_ERROR in error) Reflect.set(error, 'class', 'transient')
    }
    throw error
  }
}

/** Whether it is the failure of a request whose session the server forgot. */
export function isOfForgottenSession(raw: unknown): boolean {
  return isObject(raw) && forgotten.has(raw)
}

/** A 404 of which neither a class that the server states nor a number or words of its body say anything else. */
function isBare404(error: Readonly<Record<PropertyKey, unknown>>): boolean {
  const { rule } = Object(mcp.classify(error, { nowMs: 0 })?.detail) as { readonly rule?: unknown }
  if (rule !== 'mcp.status_404') return false
  return !(HTTP_ERROR in error) || readClassification(error['body']).class === undefined
}
