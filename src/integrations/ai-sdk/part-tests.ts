import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { aiSdk } from '../../producers/ai-sdk.ts'

/** What is asked of the parts of one call. */
export interface PartTests {
  readonly isContent: (part: LanguageModelV4StreamPart) => boolean
  readonly isEnd: (part: LanguageModelV4StreamPart) => boolean
}

/**
 * The producer's own tests, and what only the parts together say: an answer may be empty where its finish gives the
 * API's reason for it. Providers older than the finish reason `interrupted` (before provider 4.0.32 of the SDK) end a
 * stream that was cut with `other` and no reason; after content that cannot be told from an end.
 */
export function partTests(): PartTests {
  let said = false
  return {
    isContent: (part) => {
      said = aiSdk.isContent?.(part) ?? true
      return said
    },
    isEnd: (part) => {
      if (aiSdk.isEnd?.(part) !== true || part.type !== 'finish') return false
      const { unified, raw } = part.finishReason
      return said || unified !== 'other' || raw !== undefined
    },
  }
}
