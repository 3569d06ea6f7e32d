import { importHeed } from '../../harness/built-heed.mjs'
import * as host from '../hosts/openai-agents.mjs'

const { heedModel } = await importHeed('heed/integrations/openai-agents')

export { host }
export const title = '**heed**'
export const packages = ['heed', '@openai/agents-core']
export const setting = 'as it comes'

export const attach = (candidates) => {
  const model = heedModel({
    candidates: candidates.map((candidate) => ({
      id: candidate.id,
      provider: candidate.provider,
      model: host.modelAt(candidate),
    })),
  })
  return { ...host.callerOf(model), health: model.health }
}
