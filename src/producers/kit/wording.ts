import type { ErrorClass } from '../../core/classification.ts'
import type { Facts } from './facts.ts'

/**
 * A kind of failure that a family is known to tell only in words. Phrases are plain text in lower case, never patterns:
 * looking for them is linear in a text that is itself bounded.
 */
export interface TextRule {
  /** Stable name for diagnostics. */
  readonly id: string
  readonly class: ErrorClass | 'ambiguous'
  /** One of these must stand in the text; a list of phrases only where all of them do. */
  readonly any: readonly (string | readonly string[])[]
  /** None of these may. */
  readonly not?: readonly string[]
  /** The rule holds only for these statuses, or where no status is stated. */
  readonly status?: readonly number[]
  /** Codes (separated by spaces) that this rule says more than; every other clear code outweighs all wording. */
  readonly over?: string
}

/** Beyond this a message is an echo of the input or a page. Characters of each text. */
const MOST_CHARS = 4_096

/** All that was said, in lower case, one space between words and straight apostrophes; bounded. */
export function wording(facts: Facts): string {
  let said = ''
  for (let at = facts.texts.length - 1; at >= 0 && said.length < 4 * MOST_CHARS; at -= 1) {
    const text = facts.texts[at] ?? ''
    const bounded = text.length > MOST_CHARS ? text.slice(0, MOST_CHARS) : text
    said = said === '' ? bounded : `${said}\n${bounded}`
  }
  if (said === '') return ''
  said = said.toLowerCase()
  if (said.includes('’')) said = said.replaceAll('’', "'")
  // The space at the end lets a phrase end in one, so that `limit: 0 ` is not found in `limit: 0.5`.
  return `${said.includes('\n') ? said.replace(/\s+/g, ' ') : said} `
}

/** The first rule that the text and the status meet. */
export function findRule(rules: readonly TextRule[], said: string, status: number): TextRule | undefined {
  if (said === '') return undefined
  for (const rule of rules) if (meets(rule, said, status)) return rule
  return undefined
}

function meets(rule: TextRule, said: string, status: number): boolean {
  if (rule.status !== undefined && status !== 0 && !rule.status.includes(status)) return false
  for (const phrase of rule.any) {
    const found = typeof phrase === 'string' ? said.includes(phrase) : phrase.every((each) => said.includes(each))
    if (found) return rule.not === undefined || !rule.not.some((each) => said.includes(each))
  }
  return false
}

const STATUS_LEADS =
  /(?:^|status code:? |statuscode: |status: |status |error code:? |error code<|http |http\/\d\.\d |code:? |error: |\[|\| |<title>|<h1>|\()([45]\d\d)(?![\d.,]| ?tokens| ?ms\b)/

/** An HTTP status that stands only in the text, as in `429 {…}`, `Error code: 400 - …` or `[503 Service Unavailable]`; else 0. */
export function statusInText(said: string): number {
  const found = STATUS_LEADS.exec(said)
  return found === null ? 0 : Number(found[1])
}
