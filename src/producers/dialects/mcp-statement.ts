import type { Classification } from '../../core/classification.ts'
import { type Facts, field, readFacts } from '../kit/facts.ts'
import { readJson } from '../kit/literal.ts'
import { SPELLINGS, statedSecs } from '../kit/statement.ts'
import { isItem, itemsIn } from '../kit/stream-shape.ts'

/** Blocks of a tool's result that are looked at; text longer than an error is the tool's own. */
const MOST_BLOCKS = 8
const MOST_CHARS = 16_384

/** How the SSE transport, and that over streamable HTTP before 1.24, states the status: in words alone. */
const STATUS_IN_WORDS = /^Error POSTing to endpoint \(HTTP ([45]\d\d)\)/

/** What a failure says of itself, with the status of a transport that only writes it down. */
export function readMcpFacts(raw: unknown): Facts {
  const facts = readFacts(raw)
  if (facts.status !== 0) return facts
  const written = facts.texts.map((text) => STATUS_IN_WORDS.exec(text)?.[1]).find((status) => status !== undefined)
  return written === undefined ? facts : { ...facts, status: Number(written) }
}

/** Whether consumers have a decision for a class that was stated. */
export function isKnown(stated: Classification | undefined): boolean {
  return stated?.class !== undefined && SPELLINGS.has(stated.class)
}

/**
 * The class that the server itself states in a JSON-RPC error: MCP leaves `data` to the sender, so that is where the
 * contract's fields stand. Answers an unknown string as it is.
 */
export function statedInError({ layers }: Pick<Facts, 'layers'>): Classification | undefined {
  for (const layer of layers) {
    const data = typeof field(layer, 'code') === 'number' ? field(layer, 'data') : undefined
    const stated = data === undefined ? undefined : inPlace(data)
    if (stated !== undefined) return stated
  }
  return undefined
}

/**
 * The class that a tool states in an `isError` result: among the result's own fields, in `structuredContent`, in
 * `_meta`, or as JSON in a text block, which is the model's and counts only where the class is one of the set. A result
 * that is no error states nothing, whatever its fields are called.
 */
export function statedInResult(value: unknown): Classification | undefined {
  if (!isItem(value) || value['isError'] !== true) return undefined
  const stated = inPlace(value) ?? inPlace(value['structuredContent']) ?? inPlace(value['_meta'])
  if (stated !== undefined) return stated
  for (const block of itemsIn(value, 'content').slice(0, MOST_BLOCKS)) {
    const { text } = block
    if (typeof text !== 'string' || text.length > MOST_CHARS) continue
    const told = inPlace(readJson(text))
    if (isKnown(told)) return told
  }
  return undefined
}

function inPlace(place: unknown): Classification | undefined {
  if (!isItem(place)) return undefined
  return inFields(place) ?? inFields(field(place, 'error'))
}

function inFields(fields: unknown): Classification | undefined {
  if (!isItem(fields)) return undefined
  const own = field(fields, 'class')
  if (typeof own === 'string') return classOf(own, fields)
  const detail = field(fields, 'detail')
  const inDetail = isItem(detail) ? field(detail, 'class') : undefined
  return isItem(detail) && typeof inDetail === 'string' ? classOf(inDetail, detail) : undefined
}

function classOf(stated: string, beside: object): Classification {
  return {
    class: SPELLINGS.get(stated) ?? stated,
    ...statedSecs(beside),
    ...(field(beside, 'exhausted') === true ? { exhausted: true } : undefined),
    detail: { rule: 'mcp.stated' },
  }
}
