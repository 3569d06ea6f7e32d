import { PhraseIndex } from './phrases.ts'
import type { TextRule } from './wording.ts'

/** One way to meet a rule: the phrase that is looked for, and those that must stand beside it. */
interface Alternative {
  readonly rule: TextRule
  readonly order: number
  readonly beside: readonly string[]
}

/** Rules over wording, made ready to be asked: one pass over the text, then only the rules that it touches. */
export class RuleSet {
  readonly #index: PhraseIndex
  /** By the number of a phrase. */
  readonly #alternatives: readonly Alternative[][]

  constructor(rules: readonly TextRule[]) {
    const alternatives = new Map<string, Alternative[]>()
    for (const [order, rule] of rules.entries()) {
      for (const each of rule.any) {
        const [first, ...beside] = longestFirst(typeof each === 'string' ? [each] : each)
        if (first === undefined) continue
        const known = alternatives.get(first)
        if (known === undefined) alternatives.set(first, [{ rule, order, beside }])
        else known.push({ rule, order, beside })
      }
    }
    this.#index = new PhraseIndex([...alternatives.keys()])
    this.#alternatives = [...alternatives.values()]
  }

  /** The first rule that the text and the status (0 where unknown) meet. */
  find(said: string, status: number): TextRule | undefined {
    const found = said === '' ? undefined : this.#index.find(said)
    if (found === undefined) return undefined
    let best: Alternative | undefined
    for (const id of found) {
      for (const each of this.#alternatives[id] ?? []) {
        if ((best === undefined || each.order < best.order) && meets(each, said, status)) best = each
      }
    }
    return best?.rule
  }
}

/** The longest phrase is the least likely to stand in a text by chance. */
function longestFirst(phrases: readonly string[]): readonly string[] {
  return [...phrases].sort((left, right) => right.length - left.length)
}

function meets({ rule, beside }: Alternative, said: string, status: number): boolean {
  if (rule.status !== undefined && status !== 0 && !rule.status.includes(status)) return false
  for (const phrase of beside) if (!said.includes(phrase)) return false
  if (rule.not !== undefined) for (const phrase of rule.not) if (said.includes(phrase)) return false
  return true
}
