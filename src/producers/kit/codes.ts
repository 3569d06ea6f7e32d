import type { ErrorClass } from '../../core/classification.ts'

/** What a provider's code means. */
export interface Outcome {
  /** `undefined` where the request may have been executed and nobody states a class. */
  readonly class: ErrorClass | undefined
  readonly ambiguous?: true
  /** A catch-all that many kinds of failure share: wording and status say more than it does. */
  readonly vague?: true
}

/** Provider codes by meaning, each list separated by spaces, in any case. A code with spaces is written with `_`. */
export interface CodeLists {
  readonly transient?: string
  readonly permanent?: string
  readonly auth_required?: string
  readonly context_overflow?: string
  /** The request may have been executed, and nothing says whether it was. */
  readonly ambiguous?: string
  /** Catch-alls, heard only where neither the wording nor the status tells more. */
  readonly vague?: { readonly transient?: string; readonly permanent?: string; readonly auth_required?: string }
  /** Codes of the base that mean nothing here. */
  readonly unknown?: string
}

/** Codes in lower case to their meaning. */
export type CodeTable = ReadonlyMap<string, Outcome>

const FIRM = {
  transient: { class: 'transient' },
  permanent: { class: 'permanent' },
  auth_required: { class: 'auth_required' },
  context_overflow: { class: 'context_overflow' },
  ambiguous: { class: undefined, ambiguous: true },
} as const satisfies Readonly<Record<string, Outcome>>

const VAGUE = {
  transient: { class: 'transient', vague: true },
  permanent: { class: 'permanent', vague: true },
  auth_required: { class: 'auth_required', vague: true },
} as const satisfies Readonly<Record<string, Outcome>>

/** A table from lists; what `base` says of a code stands unless a list says otherwise. */
export function codeTable(lists: CodeLists, base?: CodeTable): CodeTable {
  const table = new Map<string, Outcome>(base)
  const { vague, unknown, ...firm } = lists
  for (const code of words(unknown)) table.delete(code)
  for (const key of Object.keys(vague ?? {}) as (keyof typeof VAGUE)[]) {
    for (const code of words(vague?.[key])) table.set(code, VAGUE[key])
  }
  for (const key of Object.keys(firm) as (keyof typeof FIRM)[]) {
    for (const code of words(firm[key])) table.set(code, FIRM[key])
  }
  return table
}

function words(list: string | undefined): readonly string[] {
  return list === undefined ? [] : list.toLowerCase().split(/\s+/).filter(Boolean)
}

/**
 * A code as tables spell it. Cloud services qualify theirs (`com.amazon.coral#Name`, `Name:http://…`): only the name
 * counts. Some write theirs with spaces.
 */
export function bareCode(value: string): string {
  if (PLAIN.test(value)) return value
  const bare = value.toLowerCase()
  return QUALIFIED.test(bare) ? unqualified(bare) : bare
}

/** As tables spell it already. */
const PLAIN = /^[a-z\d_.-]*$/
const QUALIFIED = /[:# ]/

function unqualified(code: string): string {
  const colon = code.indexOf(':')
  const qualified = colon > 0 ? code.slice(0, colon) : code
  const name = qualified.slice(qualified.lastIndexOf('#') + 1).trim()
  return name.length <= MOST_SPACED_CHARS && name.includes(' ') ? name.replaceAll(' ', '_') : name
}

/** What is longer and has spaces is a sentence that stands where a code might. */
const MOST_SPACED_CHARS = 48
