import { importHeed } from '../../harness/built-heed.mjs'
import * as host from '../hosts/openai.mjs'

const { heedOpenAI } = await importHeed('heed/integrations/openai')

export { host }
export const title = '**heed**'
export const packages = ['heed', 'openai']
export const setting = 'as it comes'

export const attach = (candidates) => {
  const { chat, health } = heedOpenAI({
    candidates: candidates.map((candidate) => ({ ...candidate, client: host.clientOf(candidate) })),
  })
  return { ...host.callerOf(chat.completions.create), health }
}
