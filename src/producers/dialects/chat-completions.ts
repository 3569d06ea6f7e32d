import type { Family } from '../kit/family.ts'
import { chatCodes } from './chat-codes.ts'
import { chatStream } from './chat-stream.ts'
import { chatTexts } from './chat-wording.ts'

/**
 * The chat-completions dialect, which most APIs and servers speak: an `error` object with `code`, `type`, `param` and
 * `message`, or the same at the top. A family is this and what it does otherwise.
 */
export const chatDialect: Omit<Family, 'id'> = {
  codes: chatCodes,
  texts: chatTexts,
  hints: {
    text: [
      'try again in',
      'try again after',
      'retry in',
      'retry after',
      'available again in',
      'reset in',
      'reset after',
      'resets in',
    ],
    resets: [
      { reset: 'x-ratelimit-reset-requests', remaining: 'x-ratelimit-remaining-requests', unit: 'any' },
      { reset: 'x-ratelimit-reset-tokens', remaining: 'x-ratelimit-remaining-tokens', unit: 'any' },
      { reset: 'x-ratelimit-reset', remaining: 'x-ratelimit-remaining', unit: 'any' },
      { reset: 'ratelimit-reset', remaining: 'ratelimit-remaining', unit: 'any' },
    ],
  },
  stream: chatStream,
}
