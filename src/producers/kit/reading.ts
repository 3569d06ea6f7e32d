import type { Classification, ErrorClass } from '../../core/classification.ts'
import { readTransport } from '../network.ts'
import { bareCode, type Outcome } from './codes.ts'
import type { Facts } from './facts.ts'
import type { Family } from './family.ts'
import { collectHeaders, type HeaderMap } from './headers.ts'
import { type HintSource, readHint } from './hints.ts'
import { httpClass } from './http-class.ts'
import { findRule, statusInText, type TextRule, wording } from './wording.ts'

/** The best code found: its spelling in the table and its meaning. */
interface Match {
  readonly code: string
  readonly outcome: Outcome
}

/** What decided: the class, and the rule's name without the family's. */
interface Verdict {
  readonly rule: string
  readonly class: ErrorClass | undefined
  readonly code?: string
}

/** One reading of one failure: headers and wording are costly, so they are read only when asked for, and once. */
interface Reading extends HintSource {
  readonly family: Family
  status: number
  rule: string
}

/** The class of what is known, by the tables of a family; nothing where they do not say. */
export function classifyFacts(family: Family, facts: Facts, nowMs: number): Classification | undefined {
  const reading = startReading(family, facts, nowMs)
  const verdict = decide(reading)
  if (verdict === undefined) return undefined
  const detail = {
    rule: `${family.id}.${verdict.rule}`,
    ...(verdict.code === undefined ? undefined : { code: verdict.code }),
    ...(reading.status === 0 ? undefined : { status: reading.status }),
  }
  if (verdict.class === undefined) return { class: undefined, ambiguous: true, detail }
  if (verdict.class !== 'transient') return { class: verdict.class, detail }
  reading.rule = verdict.rule
  const retryAfterSecs = readHint(family.hints, reading)
  return retryAfterSecs === undefined ? { class: 'transient', detail } : { class: 'transient', retryAfterSecs, detail }
}

function startReading(family: Family, facts: Facts, nowMs: number): Reading {
  let said: string | undefined
  let headers: HeaderMap | undefined
  return {
    family,
    facts,
    nowMs,
    status: facts.status,
    rule: '',
    said: () => {
      said ??= wording(facts)
      return said
    },
    headers: () => {
      headers ??= collectHeaders(facts.headers)
      return headers
    },
  }
}

function decide(reading: Reading): Verdict | undefined {
  const { family } = reading
  const firm = findCode(reading, false)
  if (firm !== undefined) return refined(reading, firm)
  const said = reading.said()
  if (reading.status === 0) reading.status = statusInText(said)
  const { status } = reading
  const told = family.texts === undefined ? undefined : findRule(family.texts, said, status)
  if (told !== undefined) return ofText(told)
  const known = status === 0 ? undefined : (family.statuses?.[status] ?? httpClass(status))
  if (known !== undefined) return { rule: `status_${status}`, class: known }
  const vague = findCode(reading, true)
  return vague === undefined ? transport(reading, said) : ofCode(vague)
}

/** A clear code decides, unless the family has a rule whose wording is known to say more than this very code. */
function refined(reading: Reading, firm: Match): Verdict {
  const rules = refinements(reading.family).get(firm.code)
  const told = rules === undefined ? undefined : findRule(rules, reading.said(), reading.status)
  return told === undefined ? ofCode(firm) : ofText(told)
}

const ofText = (rule: TextRule): Verdict => ({
  rule: `text.${rule.id}`,
  class: rule.class === 'ambiguous' ? undefined : rule.class,
})

const ofCode = ({ code, outcome }: Match): Verdict => ({ rule: `code.${code}`, class: outcome.class, code })

/** The caller's own abort is neither a failure of the source nor anything to say of it. */
function transport(reading: Reading, said: string): Verdict | undefined {
  const found = readTransport(reading.facts, said)
  if (found === undefined || found === 'aborted') return undefined
  return { rule: `network.${found}`, class: found === 'never_sent' ? 'transient' : undefined }
}

/** The weightiest code that the family knows. Codes in headers and in the message count where no field has one. */
function findCode(reading: Reading, vague: boolean): Match | undefined {
  const { family, facts } = reading
  let best: Match | undefined
  let weight = -1
  for (let at = 0; at < facts.codes.length; at += 1) {
    const each = facts.weights[at] as number
    if (each <= weight) continue
    const match = lookUp(family, facts.codes[at] as string, vague)
    if (match === undefined) continue
    best = match
    weight = each
  }
  return best ?? codeElsewhere(reading, vague)
}

function codeElsewhere(reading: Reading, vague: boolean): Match | undefined {
  const { codeHeaders, codePattern } = reading.family
  if (codeHeaders !== undefined && reading.facts.headers.length > 0) {
    for (const name of codeHeaders) {
      const value = reading.headers().get(name)
      const match = value === undefined ? undefined : lookUp(reading.family, value, vague)
      if (match !== undefined) return match
    }
  }
  const written = codePattern?.exec(reading.said())?.find((part, at) => at > 0 && part !== undefined)
  return written === undefined ? undefined : lookUp(reading.family, written, vague)
}

function lookUp(family: Family, code: string, vague: boolean): Match | undefined {
  let spelling = code
  let outcome = family.codes.get(spelling)
  if (outcome === undefined) {
    spelling = bareCode(code)
    outcome = family.codes.get(spelling)
  }
  return outcome === undefined || (outcome.vague === true) !== vague ? undefined : { code: spelling, outcome }
}

const byFamily = new WeakMap<Family, ReadonlyMap<string, readonly TextRule[]>>()

/** The wording rules of a family by the codes that they say more than. */
function refinements(family: Family): ReadonlyMap<string, readonly TextRule[]> {
  const known = byFamily.get(family)
  if (known !== undefined) return known
  const rules = new Map<string, TextRule[]>()
  for (const rule of family.texts ?? []) {
    for (const code of rule.over?.split(' ') ?? []) rules.set(code, [...(rules.get(code) ?? []), rule])
  }
  byFamily.set(family, rules)
  return rules
}
