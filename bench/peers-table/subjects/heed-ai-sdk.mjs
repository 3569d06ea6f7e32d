import { importHeed } from '../../harness/built-heed.mjs'
import * as host from '../hosts/ai-sdk.mjs'

const { heedModel } = await importHeed('heed/integrations/ai-sdk')

export { host }
export const title = '**heed**'
export const packages = ['heed', 'ai']
export const setting = 'as it comes; `maxRetries: 0`'

/** A chain of models, which is a model. */
export const chainOf = (candidates) =>
  heedModel({ candidates: candidates.map(({ id, provider, ...at }) => ({ id, provider, model: host.modelAt(at) })) })

export const attach = (candidates) => {
  const model = chainOf(candidates)
  return { ...host.callerOf(model), health: model.health }
}
