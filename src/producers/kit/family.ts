import type { ErrorClass } from '../../core/classification.ts'
import type { CodeTable } from './codes.ts'
import type { Facts } from './facts.ts'
import type { HintRules } from './hints.ts'
import type { Statements } from './statement.ts'
import type { StreamShape } from './stream-shape.ts'
import type { TextRule } from './wording.ts'

/**
 * What one API family says and means. It is nearly all tables; `adapter` makes a producer of it.
 *
 * The order in which it is read is the contract's: a clear code, then the wording of a kind that the family is known to
 * tell only in words, then the status, then a catch-all code, then what the network says.
 */
export interface Family {
  /** Stable; the first part of every rule's name in `detail`. */
  readonly id: string
  /** Provider codes, types and error names to their meaning. */
  readonly codes: CodeTable
  /** Headers that hold a code. */
  readonly codeHeaders?: readonly string[]
  /** Finds, as a group, a code that the family's SDKs write into the message (in lower case). It must be linear. */
  readonly codePattern?: RegExp
  /** What must stand in the message, in lower case, for the pattern to be worth trying. */
  readonly codeLeads?: readonly string[]
  readonly texts?: readonly TextRule[]
  /** Statuses that mean something else here than in HTTP. */
  readonly statuses?: Readonly<Record<number, ErrorClass>>
  /** Where this family states how long to wait. */
  readonly hints: HintRules
  /** Reads what the source states of its failures itself. Where this is set, no other table decides. */
  readonly states?: Statements
  /** How the family streams, and how it answers failures inside an answer. */
  readonly stream?: StreamShape
  /** Turns a shape of the family's own into one that the kit reads. */
  readonly unwrap?: (raw: unknown) => unknown
  /** How an error of this family is told from others. */
  readonly signature?: Signature
}

/** Marks that only one family's errors bear. */
export interface Signature {
  /** Ends of the host names of the family's API, as they stand in an SDK error's `url`. */
  readonly hosts?: readonly string[]
  /** Beginnings of header names, in lower case. */
  readonly headers?: readonly string[]
  /** Codes that only this family sends, separated by spaces, as it spells them. */
  readonly codes?: string
  /** Words that only its messages hold, in lower case. */
  readonly words?: readonly string[]
  /** Fields that only its answers have, and how their text begins; empty where whatever they hold will do. */
  readonly fields?: Readonly<Record<string, string>>
  /** A shape that no other family has. */
  readonly shape?: (facts: Facts) => boolean
}

/** A family that is another one but for what `changes` says. Its own wording is heard before the base's. */
export function derive(base: Family, changes: Partial<Family> & { readonly id: string }): Family {
  const { signature: _, ...inherited } = base
  const texts = [...(changes.texts ?? []), ...(base.texts ?? [])]
  return { ...inherited, ...changes, texts, hints: { ...base.hints, ...changes.hints } }
}
