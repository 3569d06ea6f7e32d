import * as host from '../hosts/mastra.mjs'
import { chainOf } from './heed-ai-sdk.mjs'

export { host }
export const title = '**heed**'
export const packages = ['heed', '@mastra/core']
export const setting = 'the chain for the AI SDK as `model`; `maxRetries: 0`'

export const attach = (candidates) => {
  const model = chainOf(candidates)
  return { ...host.callerOf(model, { maxRetries: 0 }), health: model.health }
}
