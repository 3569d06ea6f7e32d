import * as host from '../hosts/mastra.mjs'

export { host }
export const title = "Mastra's list of models"
export const packages = host.packages
export const setting = '`model: [{ model, maxRetries: 0 }, …]`'

export const attach = (candidates) =>
  host.callerOf(candidates.map((candidate) => ({ model: host.modelAt(candidate), maxRetries: 0 })))
