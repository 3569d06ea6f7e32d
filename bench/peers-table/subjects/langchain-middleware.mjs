import { modelFallbackMiddleware, modelRetryMiddleware } from 'langchain'
import * as host from '../hosts/langchain-agent.mjs'

export { host }
export const title = '`modelRetryMiddleware` + `modelFallbackMiddleware`'
export const packages = host.packages
export const setting =
  'as they come, the fallback next to the model: the other way round the retry answers with its failure and nothing falls back'

export const attach = (candidates) => {
  const [model, ...fallbacks] = candidates.map(host.modelAt)
  return host.callerOf(model, [modelRetryMiddleware(), modelFallbackMiddleware(...fallbacks)])
}
