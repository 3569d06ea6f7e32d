import { createFallback } from 'ai-fallback'
import * as host from '../hosts/ai-sdk.mjs'

export { host }
export const title = 'ai-fallback'
export const packages = ['ai-fallback', 'ai']
export const setting = 'as it comes, one object for all calls; `maxRetries: 0`'

export const attach = (candidates) => host.callerOf(createFallback({ models: candidates.map(host.modelAt) }))

/** It stays with the second model after a switch: an interval of 0 makes every call start at the first again. */
export const attachForFailover = (candidates) =>
  host.callerOf(createFallback({ models: candidates.map(host.modelAt), modelResetInterval: 0 }))
