import type { Classification, ErrorClass } from '../../core/classification.ts'
import { readTransport } from '../network.ts'
import { statedWait } from '../retry-after.ts'
import { type Facts, field } from './facts.ts'
import { collectHeaders } from './headers.ts'
import { httpClass } from './http-class.ts'

/** What a source says of a failure in fields that it made for that. */
export interface Statement {
  /** The rule that read it, without the family's name. */
  readonly rule: string
  /** Nothing where it was recognised and states no class of the set: then none is invented. */
  readonly class: ErrorClass | undefined
  readonly ambiguous?: boolean
  readonly scope?: 'provider'
  /** Seconds. */
  readonly retryAfterSecs?: number
  /** The source's own code, as it came. */
  readonly code?: string
  /** What the source advises its caller to do; diagnostics. */
  readonly reaction?: string
}

/** The spellings of a class on the wire: those of the contract, and the one from before the rename. */
export const SPELLINGS: ReadonlyMap<string, ErrorClass> = new Map([
  ['transient', 'transient'],
  ['permanent', 'permanent'],
  ['auth_required', 'auth_required'],
  ['context_overflow', 'context_overflow'],
  ['auth', 'auth_required'],
])

/** The hint that stands beside a class on the wire; one that is none is left out. */
export function statedSecs(fields: object): Pick<Statement, 'retryAfterSecs'> | undefined {
  const secs = field(fields, 'retry_after_secs')
  return typeof secs === 'number' && secs >= 0 && secs < Number.POSITIVE_INFINITY ? { retryAfterSecs: secs } : undefined
}

/** How a source is read that states its failures itself. Its wording is never looked at. */
export interface Statements {
  /** The statement in these objects, which come outer before inner; nothing where none of them is this source's. */
  readonly find: (layers: readonly object[]) => Statement | undefined
  /** Its answers come by HTTP: what stands between it and the caller may have answered, with no more than a status. */
  readonly overHttp?: true
}

/** What the first object says that says anything. */
export function firstStatement(
  layers: readonly object[],
  read: (layer: object) => Statement | undefined,
): Statement | undefined {
  for (const layer of layers) {
    const found = read(layer)
    if (found !== undefined) return found
  }
  return undefined
}

/** What the source states; where nothing is the source's own, the bare status, then the codes of the network. */
export function classifyStated(
  id: string,
  statements: Statements,
  facts: Facts,
  nowMs: number,
): Classification | undefined {
  const found = statements.find(facts.layers) ?? ofStatus(statements, facts) ?? ofNetwork(facts)
  if (found === undefined || (found.class === undefined && found.ambiguous !== true)) return undefined
  const said: Said = { class: found.class, detail: detailOf(id, found, facts.status) }
  const hint = found.retryAfterSecs ?? ofHeaders(statements, facts, found, nowMs)
  if (hint !== undefined) said.retryAfterSecs = hint
  if (found.ambiguous === true) said.ambiguous = true
  if (found.scope !== undefined) said.scope = found.scope
  return said
}

/** A classification while it is put together. */
type Said = { -readonly [Name in keyof Classification]: Classification[Name] }

interface Detail {
  rule: string
  code?: string
  reaction?: string
  status?: number
}

function detailOf(id: string, { rule, code, reaction }: Statement, status: number): Detail {
  const detail: Detail = { rule: `${id}.${rule}` }
  if (code !== undefined) detail.code = code
  if (reaction !== undefined) detail.reaction = reaction
  if (status !== 0) detail.status = status
  return detail
}

function ofStatus(statements: Statements, { status }: Facts): Statement | undefined {
  const known = statements.overHttp === true && status !== 0 ? httpClass(status) : undefined
  return known === undefined ? undefined : { rule: `status_${status}`, class: known }
}

function ofNetwork(facts: Facts): Statement | undefined {
  const found = readTransport(facts, '')
  if (found === undefined || found === 'aborted') return undefined
  return found === 'never_sent'
    ? { rule: 'network.never_sent', class: 'transient' }
    : { rule: 'network.maybe_sent', class: undefined, ambiguous: true }
}

function ofHeaders(statements: Statements, facts: Facts, found: Statement, nowMs: number): number | undefined {
  if (statements.overHttp !== true || found.class !== 'transient' || facts.headers.length === 0) return undefined
  return statedWait(collectHeaders(facts.headers), nowMs)
}
