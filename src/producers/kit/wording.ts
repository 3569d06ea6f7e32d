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
    said = said === '' ? bounded : `${said} ${bounded}`
  }
  if (said === '') return ''
  // The space at the end lets a phrase end in one, so that `limit: 0 ` is not found in `limit: 0.5`.
  said = `${said.toLowerCase()} `
  if (said.includes('’')) said = said.replaceAll('’', "'")
  // A single line is left as it is: uneven space in it is the writer's own.
  if (facts.texts.length === 1 && !said.includes('\n')) return said
  return isUneven(said) ? said.replace(/\s\s+|[^\S ]/g, ' ') : said
}

/** Space other than single blanks. Engines find one character much faster than one of a class. */
function isUneven(text: string): boolean {
  for (const each of UNEVEN) if (text.includes(each)) return true
  return WIDE_SPACE.test(text)
}

const UNEVEN = ['\n', '  ', '\t', '\r', '\v', '\f', '\xa0']
const WIDE_SPACE = /[\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/

/** A number that may be a status: three digits by themselves. */
const THREE_DIGITS = /(?<![\d.,-])[45]\d\d(?![\d.,]\d|\d)/g

/** What stands before a status in a text. Another number of three digits is a count, a size or a time. */
const LEADS = [
  'status code ',
  'status code: ',
  'status code=',
  'statuscode: ',
  'statuscode=',
  'status: ',
  'status=',
  'status ',
  '"status":',
  '"code":',
  'error code: ',
  'error code ',
  'code: ',
  'code=',
  'http ',
  'http error ',
  'http/1.1 ',
  'http/2 ',
  'http status ',
  'api error: ',
  'api error ',
  'apierror: ',
  'error: ',
  'error (',
  'status (',
  'http (',
  '[',
  '| ',
  '<title>',
  '<h1>',
  'capierror: ',
]

/** The same by their last character, which most numbers do not stand behind. */
const LEADS_BY_END: ReadonlyMap<string, readonly string[]> = new Map(
  [' ', ':', '=', '(', '[', '>'].map((end) => [end, LEADS.filter((lead) => lead.endsWith(end))]),
)

/** Only the beginning of a text states the status of the answer. */
const HEAD_CHARS = 1_024

/** An HTTP status that stands only in the text, as in `429 {…}`, `Error code: 400 - …` or `[503 Service Unavailable]`; else 0. */
export function statusInText(said: string): number {
  THREE_DIGITS.lastIndex = 0
  for (
    let found = THREE_DIGITS.exec(said);
    found !== null && found.index < HEAD_CHARS;
    found = THREE_DIGITS.exec(said)
  ) {
    const before = said.slice(Math.max(0, found.index - 16), found.index)
    if (found.index === 0 || isLead(before)) return Number(found[0])
  }
  return 0
}

function isLead(before: string): boolean {
  return LEADS_BY_END.get(before.charAt(before.length - 1))?.some((lead) => before.endsWith(lead)) === true
}
