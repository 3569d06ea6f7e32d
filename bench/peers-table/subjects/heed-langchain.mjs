import { importHeed } from '../../harness/built-heed.mjs'
import * as host from '../hosts/langchain.mjs'

const { heedRunnable } = await importHeed('heed/integrations/langchain')

export { host }
export const title = '**heed**'
export const packages = ['heed', '@langchain/core']
export const setting = 'as it comes: `heedRunnable`'

export const attach = (candidates) => {
  const runnable = heedRunnable({
    candidates: candidates.map(({ id, provider, ...at }) => ({ id, provider, model: host.modelAt(at) })),
  })
  return { ...host.callerOf(runnable), health: runnable.health }
}
