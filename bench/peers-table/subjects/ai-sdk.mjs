import * as host from '../hosts/ai-sdk.mjs'

export { host }
export const title = "AI SDK's own"
export const packages = host.packages
export const setting = '`maxRetries: 2`, which is its default, and `streamRetries: 2`'
export const onlyOne = true

export const attach = ([primary]) => host.callerOf(host.modelAt(primary), { maxRetries: 2, streamRetries: 2 })
