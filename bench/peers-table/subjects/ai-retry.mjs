import { createRetryableModel } from 'ai-retry/language-model'
import * as host from '../hosts/ai-sdk.mjs'

export { host }
export const title = 'ai-retry'
export const packages = ['ai-retry', 'ai']
export const setting = '`retries: [fallback]`, one object for all calls; `maxRetries: 0`'

export const attach = (candidates) => {
  const [model, ...retries] = candidates.map(host.modelAt)
  return host.callerOf(createRetryableModel({ model, retries }))
}
