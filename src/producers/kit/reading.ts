import type { Classification, ErrorClass } from '../../core/classification.ts'
import { networkTexts, readTransport } from '../network.ts'
import type { Facts } from './facts.ts'
import type { Family } from './family.ts'
import { findCode, type Match } from './find-code.ts'
import { collectHeaders, type HeaderMap } from './headers.ts'
import { type HintSource, readHint } from './hints.ts'
import { httpClass } from './http-class.ts'
import { RuleSet } from './rule-set.ts'
import { classifyStated } from './statement.ts'
import { statusInText, type TextRule, wording } from './wording.ts'

/** What decided: the class, and the rule's name without the family's. */
interface Verdict {
  readonly rule: string
  readonly class: ErrorClass | undefined
  readonly code?: string
}

/** One reading of one failure: headers and wording are costly, so they are read only when asked for, and once. */
class Reading implements HintSource {
  readonly family: Family
  readonly facts: Facts
  readonly nowMs: number
  status: number
  rule = ''
  #said: string | undefined
  #headers: HeaderMap | undefined

  constructor(family: Family, facts: Facts, nowMs: number) {
    this.family = family
    this.facts = facts
    this.nowMs = nowMs
    this.status = facts.status
  }

  said(): string {
    this.#said ??= wording(this.facts)
    return this.#said
  }

  headers(): HeaderMap {
    this.#headers ??= collectHeaders(this.facts.headers)
    return this.#headers
  }
}

/** What is known of the decision; of no failure a message. */
interface Detail {
  rule: string
  code?: string
  status?: number
}

/** The class of what is known, by the tables of a family; nothing where they do not say. */
export function classifyFacts(family: Family, facts: Facts, nowMs: number): Classification | undefined {
  if (family.states !== undefined) return classifyStated(family.id, family.states, facts, nowMs)
  const reading = new Reading(family, facts, nowMs)
  const verdict = decide(reading)
  if (verdict === undefined) return undefined
  const detail: Detail = { rule: `${family.id}.${verdict.rule}` }
  if (verdict.code !== undefined) detail.code = verdict.code
  if (reading.status !== 0) detail.status = reading.status
  if (verdict.class === undefined) return { class: undefined, ambiguous: true, detail }
  if (verdict.class !== 'transient') return { class: verdict.class, detail }
  reading.rule = verdict.rule
  const retryAfterSecs = readHint(family.hints, reading)
  return retryAfterSecs === undefined ? { class: 'transient', detail } : { class: 'transient', retryAfterSecs, detail }
}

function decide(reading: Reading): Verdict | undefined {
  const { family } = reading
  const found = findCode(family, reading)
  if (found !== undefined && found.outcome.vague !== true) return refined(reading, found)
  const said = reading.said()
  if (reading.status === 0) reading.status = statusInText(said)
  const { status } = reading
  const told = wordingOf(family).rules.find(said, status)
  if (told !== undefined && !networkTexts.includes(told)) return ofText(told)
  const known = status === 0 ? undefined : (family.statuses?.[status] ?? httpClass(status))
  if (known !== undefined) return { rule: `status_${status}`, class: known }
  return found === undefined ? transport(reading, said, told) : ofCode(found)
}

/** A clear code decides, unless the family has a rule whose wording is known to say more than this very code. */
function refined(reading: Reading, firm: Match): Verdict {
  const rules = wordingOf(reading.family).over.get(firm.code)
  const told = rules?.find(reading.said(), reading.status)
  return told === undefined ? ofCode(firm) : ofText(told)
}

const ofText = (rule: TextRule): Verdict => ({
  rule: `text.${rule.id}`,
  class: rule.class === 'ambiguous' ? undefined : rule.class,
})

const ofCode = ({ code, outcome }: Match): Verdict => ({ rule: `code.${code}`, class: outcome.class, code })

/** The caller's own abort is neither a failure of the source nor anything to say of it. */
function transport(reading: Reading, said: string, told: TextRule | undefined): Verdict | undefined {
  const found = readTransport(reading.facts, said, told)
  if (found === undefined || found === 'aborted') return undefined
  return { rule: `network.${found}`, class: found === 'never_sent' ? 'transient' : undefined }
}

/** The wording rules of a family and of the network, ready to be asked, and those that say more than one code by that code. */
interface Wording {
  readonly rules: RuleSet
  readonly over: ReadonlyMap<string, RuleSet>
}

const byFamily = new WeakMap<Family, Wording>()

function wordingOf(family: Family): Wording {
  const known = byFamily.get(family)
  if (known !== undefined) return known
  const texts = family.texts ?? []
  const over = new Map<string, TextRule[]>()
  for (const rule of texts) {
    for (const code of rule.over?.split(' ') ?? []) over.set(code, [...(over.get(code) ?? []), rule])
  }
  const made: Wording = {
    rules: new RuleSet([...texts, ...networkTexts]),
    over: new Map([...over].map(([code, rules]) => [code, new RuleSet(rules)])),
  }
  byFamily.set(family, made)
  return made
}
