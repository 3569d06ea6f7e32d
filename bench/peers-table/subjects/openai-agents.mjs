import { retryPolicies } from '@openai/agents-core'
import * as host from '../hosts/openai-agents.mjs'

export { host }
export const title = '`modelSettings.retry`'
export const packages = host.packages
export const setting = '`maxRetries: 2`, policy: suggested, `Retry-After`, network errors, 408, 409, 429 and 5xx'
export const onlyOne = true

const policy = retryPolicies.any(
  retryPolicies.providerSuggested(),
  retryPolicies.retryAfter(),
  retryPolicies.networkError(),
  retryPolicies.httpStatus([408, 409, 429, 500, 502, 503, 504]),
)

export const attach = ([primary]) => host.callerOf(host.modelAt(primary), { retry: { maxRetries: 2, policy } })
