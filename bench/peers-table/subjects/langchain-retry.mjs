import { modelRetryMiddleware } from 'langchain'
import * as host from '../hosts/langchain-agent.mjs'

export { host }
export const title = '`modelRetryMiddleware`'
export const packages = host.packages
export const setting = 'as it comes'
export const onlyOne = true

export const attach = ([primary]) => host.callerOf(host.modelAt(primary), [modelRetryMiddleware()])
