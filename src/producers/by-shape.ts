import { chatDialect } from './dialects/chat-completions.ts'
import { families } from './families.ts'
import type { CodeTable, Outcome } from './kit/codes.ts'
import { type Facts, field } from './kit/facts.ts'
import type { Family, Signature } from './kit/family.ts'
import { collectHeaders } from './kit/headers.ts'
import { Marks } from './kit/marks.ts'
import type { TextRule } from './kit/wording.ts'

interface Bearer {
  readonly family: Family
  readonly at: number
  readonly signature: Signature
}

let marks: Marks | undefined
/** Those of the families that are told by a header or a shape; `at` is their place among all. */
let bearers: readonly Bearer[] | undefined

/** The family whose mark a failure bears: its host, a header, a shape; nothing where it bears none. */
export function familyOf(facts: Facts): Family | undefined {
  const hosts = hostsIn(facts)
  if (hosts.length > 0) {
    const found = families.find(({ family }) =>
      family.signature?.hosts?.some((host) => hosts.some((each) => each.endsWith(host))),
    )
    if (found !== undefined) return found.family
  }
  // Made when it is first needed: a program that names its families never does.
  marks ??= new Marks(families.map(({ family }) => family.signature))
  const told = marks.find(facts)
  const names = facts.headers.length > 0 ? [...collectHeaders(facts.headers).keys()] : []
  bearers ??= families.flatMap(bearerAt)
  for (const { family, at, signature } of bearers) {
    if (at >= told) break
    if (bears(signature, facts, names)) return family
  }
  return families[told]?.family
}

function bearerAt({ family }: { readonly family: Family }, at: number): readonly Bearer[] {
  const { signature } = family
  return signature?.headers === undefined && signature?.shape === undefined ? [] : [{ family, at, signature }]
}

function bears(signature: Signature, facts: Facts, names: readonly string[]): boolean {
  if (names.length > 0 && signature.headers?.some((prefix) => names.some((name) => name.startsWith(prefix))))
    return true
  return signature.shape?.(facts) === true
}

/** The host of the address that SDK errors state. Read without a URL parser, which would throw on what is none. */
function hostsIn(facts: Facts): readonly string[] {
  const hosts: string[] = []
  for (const layer of facts.layers) {
    const url = field(layer, 'url')
    if (typeof url !== 'string') continue
    const host = /^https?:\/\/([\w.:-]{1,253})/.exec(url)?.[1]
    if (host !== undefined) hosts.push(host.toLowerCase())
  }
  return hosts
}

/**
 * All families as one, for a failure that bears nobody's mark: what only one of them says counts as it says it, what
 * several say as the dialect they share. Bare numbers are left out: one means different things to two families.
 */
export function anyFamily(id: string): Family {
  const codes = new Map<string, Outcome>()
  for (const { family } of families)
    for (const [code, outcome] of family.codes) if (!/^\d+$/.test(code)) note(codes, code, outcome)
  for (const [code, outcome] of chatDialect.codes) codes.set(code, outcome)
  return { id, ...chatDialect, codes: codes satisfies CodeTable, texts: allTexts() }
}

/** Where two families disagree on a code, it says nothing by itself. */
function note(codes: Map<string, Outcome>, code: string, outcome: Outcome): void {
  const known = codes.get(code)
  if (known === undefined) codes.set(code, outcome)
  else if (known.class !== outcome.class) codes.set(code, { ...known, vague: true })
  else if (outcome.vague === true) codes.set(code, outcome)
}

function allTexts(): readonly TextRule[] {
  const rules = new Set<TextRule>()
  const own = [...families].reverse().flatMap(({ family }) => family.texts ?? [])
  // Told in wording that nothing else uses, or that the dialect's own rules would take for less.
  for (const wanted of ['output_parameter', 'context_length', 'quota_exhausted']) {
    for (const rule of own) if (rule.id === wanted) rules.add(rule)
  }
  for (const rule of chatDialect.texts ?? []) rules.add(rule)
  for (const rule of own) rules.add(rule)
  return [...rules]
}
