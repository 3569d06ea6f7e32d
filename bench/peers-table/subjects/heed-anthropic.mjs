import { importHeed } from '../../harness/built-heed.mjs'
import * as host from '../hosts/anthropic.mjs'

const { heedAnthropic } = await importHeed('heed/integrations/anthropic')

export { host }
export const title = '**heed**'
export const packages = ['heed', '@anthropic-ai/sdk']
export const setting = 'as it comes'

export const attach = (candidates) => {
  const { messages, health } = heedAnthropic({
    candidates: candidates.map((candidate) => ({ ...candidate, client: host.clientOf(candidate) })),
  })
  return { ...host.callerOf(messages.create), health }
}
