import { bareCode, type Outcome } from './codes.ts'
import type { Family } from './family.ts'
import type { HintSource } from './hints.ts'

/** The best code found: its spelling in the table and its meaning. */
export interface Match {
  readonly code: string
  readonly outcome: Outcome
}

/** The weightiest clear code, else the weightiest catch-all. Where no field has one, headers and the message may. */
export function findCode(family: Family, source: HintSource): Match | undefined {
  const { facts } = source
  let best: Match | undefined
  let weight = -1
  let vague: Match | undefined
  let vagueWeight = -1
  // The last found is most often the deepest, so the others need no look. Of two that weigh the same the first counts.
  for (let at = facts.codes.length - 1; at >= 0; at -= 1) {
    const each = facts.weights[at] as number
    if (each < weight) continue
    const match = lookUp(family, facts.codes[at] as string)
    if (match === undefined) continue
    if (match.outcome.vague !== true) {
      best = match
      weight = each
    } else if (each >= vagueWeight) {
      vague = match
      vagueWeight = each
    }
  }
  if (best !== undefined) return best
  const elsewhere = codeElsewhere(family, source)
  return elsewhere?.outcome.vague === true ? (vague ?? elsewhere) : (elsewhere ?? vague)
}

function codeElsewhere(family: Family, source: HintSource): Match | undefined {
  const { facts } = source
  if (family.codeHeaders !== undefined && facts.headers.length > 0) {
    for (const name of family.codeHeaders) {
      const value = source.headers().get(name)
      const match = value === undefined ? undefined : lookUp(family, value)
      if (match !== undefined) return match
    }
  }
  if (family.codePattern === undefined) return undefined
  const said = source.said()
  if (family.codeLeads?.some((lead) => said.includes(lead)) === false) return undefined
  const written = family.codePattern.exec(said)?.find((part, at) => at > 0 && part !== undefined)
  return written === undefined ? undefined : lookUp(family, written)
}

function lookUp(family: Family, code: string): Match | undefined {
  const outcome = family.codes.get(code)
  if (outcome !== undefined) return { code, outcome }
  const bare = bareCode(code)
  const known = bare === code ? undefined : family.codes.get(bare)
  return known === undefined ? undefined : { code: bare, outcome: known }
}
