import { anthropicWire } from './anthropic-wire.mjs'
import { openaiWire } from './openai-wire.mjs'

/** How to talk to a candidate, by the dialect that it carries. */
export const wires = { openai: openaiWire, anthropic: anthropicWire }
