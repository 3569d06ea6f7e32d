import { importHeed } from '../../harness/built-heed.mjs'
import * as host from '../hosts/langchain-agent.mjs'

const { heedModels } = await importHeed('heed/integrations/langchain')

export { host }
export const title = '**heed**'
export const packages = ['heed', 'langchain']
export const setting = 'as it comes: `heedModels`'

export const attach = ([{ id, provider, ...primary }, ...others]) => {
  const fallbacks = others.map(({ id, provider, ...at }) => ({ id, provider, model: host.modelAt(at) }))
  const heeding = heedModels({ primary: { id, provider }, fallbacks })
  return { ...host.callerOf(host.modelAt(primary), [heeding]), health: heeding.health }
}
