import pRetry from 'p-retry'
import { worthAnotherTry } from '../harness/worth-another-try.mjs'
import * as host from '../hosts/openai.mjs'

export { host }
export const title = 'p-retry, by hand'
export const packages = ['p-retry', 'openai']
export const setting = '2 retries of what the SDK would retry, then the fallback in a `catch` that heeds the signal'
export const waitsBeforeFallback = true

export const attach = (candidates) => {
  const [primary, fallback] = candidates.map((candidate) => host.createOf(candidate))
  return host.callerOf(async (body, options) => {
    const { signal } = options
    const retries = { retries: 2, signal, shouldRetry: ({ error }) => worthAnotherTry(error) }
    try {
      return await pRetry(() => primary(body, options), retries)
    } catch (error) {
      if (signal?.aborted || !worthAnotherTry(error)) throw error
      return fallback(body, options)
    }
  })
}
