import { type Facts, field } from './facts.ts'
import type { Signature } from './family.ts'
import { PhraseIndex } from './phrases.ts'
import { wording } from './wording.ts'

/** A field that only one family has: the number of that family, and how the field's text begins. */
interface FieldMark {
  readonly at: number
  readonly begins: string
}

/** Enough for any answer. */
const MOST_KEYS = 64

/** The marks of many families, looked up all at once. A family is known by its number: the first that matches counts. */
export class Marks {
  readonly #codes = new Map<string, number>()
  readonly #fields = new Map<string, FieldMark>()
  readonly #words: PhraseIndex
  /** By the number of a phrase. */
  readonly #wordOf: readonly number[]

  constructor(signatures: readonly (Signature | undefined)[]) {
    const words = new Map<string, number>()
    for (const [at, signature] of signatures.entries()) {
      for (const code of signature?.codes?.split(/\s+/) ?? []) this.#codes.set(code, this.#codes.get(code) ?? at)
      for (const word of signature?.words ?? []) words.set(word, words.get(word) ?? at)
      for (const [name, begins] of Object.entries(signature?.fields ?? {})) this.#fields.set(name, { at, begins })
    }
    this.#words = new PhraseIndex([...words.keys()])
    this.#wordOf = [...words.values()]
  }

  /** The number of the first family of which something is found; `Infinity` where nothing is. */
  find(facts: Facts): number {
    return Math.min(this.#byCode(facts), this.#byWord(facts), this.#byField(facts))
  }

  #byCode(facts: Facts): number {
    let least = Number.POSITIVE_INFINITY
    for (const code of facts.codes) least = Math.min(least, this.#codes.get(code) ?? least)
    return least
  }

  #byWord(facts: Facts): number {
    let least = Number.POSITIVE_INFINITY
    for (const id of this.#words.find(wording(facts)) ?? []) least = Math.min(least, this.#wordOf[id] ?? least)
    return least
  }

  #byField(facts: Facts): number {
    let least = Number.POSITIVE_INFINITY
    for (const layer of facts.layers) {
      if (Array.isArray(layer)) continue
      let keys = 0
      for (const name in layer) {
        const mark = this.#fields.get(name)
        if (mark !== undefined && mark.at < least && holds(layer, name, mark.begins)) least = mark.at
        keys += 1
        if (keys > MOST_KEYS) break
      }
    }
    return least
  }
}

function holds(layer: object, name: string, begins: string): boolean {
  const value = field(layer, name)
  if (begins === '') return value !== undefined
  return typeof value === 'string' && value.startsWith(begins)
}
