import * as host from '../hosts/openai.mjs'

export { host }
export const title = 'no retry at all'
export const packages = host.packages
export const setting = '`maxRetries: 0`'
export const onlyOne = true

export const attach = ([primary]) => host.bare(primary)
