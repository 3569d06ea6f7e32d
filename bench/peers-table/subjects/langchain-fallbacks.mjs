import * as host from '../hosts/langchain.mjs'

export { host }
export const title = '`withFallbacks`'
export const packages = host.packages
export const setting = 'as it comes; `maxRetries: 0` in the models'

export const attach = (candidates) => {
  const [model, ...fallbacks] = candidates.map(host.modelAt)
  return host.callerOf(model.withFallbacks({ fallbacks }))
}
