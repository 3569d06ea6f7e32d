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
  readonly #index = new PhraseIndex()
  /** By the number of a phrase. */
  readonly #alternatives: Alternative[][] = []

  constructor(rules: readonly TextRule[]) {
    for (const [order, rule] of rules.entries()) {
      for (const each of rule.any) {
        const [first, ...beside] = longestFirst(typeof each === 'string' ? [each] : each)
        if (first === undefined) continue
        const id = this.#index.add(first)
        this.#alternatives[id] ??= []
        this.#alternatives[id].push({ rule, order, beside })
      }
    }
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
  return rule.not === undefined || !rule.not.some((phrase) => said.includes(phrase))
}
