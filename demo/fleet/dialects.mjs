import { anthropicDialect } from './anthropic-dialect.mjs'
import { openaiDialect } from './openai-dialect.mjs'

/** The dialects that a fake provider can speak, by the name that candidates carry. */
export const dialects = { openai: openaiDialect, anthropic: anthropicDialect }
