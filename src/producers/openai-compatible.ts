import { chatDialect } from './dialects/chat-completions.ts'
import { type AdapterProducer, adapter } from './producer.ts'

/**
 * Any server of the chat-completions dialect that is not one of the other families: a gateway, a proxy, a self-hosted
 * model. Reads the dialect's codes, what such servers tell only in words, and rate-limit headers of any unit.
 */
export const openaiCompatible: AdapterProducer = adapter({ id: 'openai-compatible', ...chatDialect })
