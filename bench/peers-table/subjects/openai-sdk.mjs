import * as host from '../hosts/openai.mjs'

export { host }
export const title = "OpenAI SDK's own"
export const packages = host.packages
export const setting = 'as it comes: `maxRetries: 2`'
export const onlyOne = true

export const attach = ([primary]) => host.callerOf(host.createOf(primary, 2))
